import type { Option } from '@postil/contract/question-types/options.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { TextArea } from '#ui/controls/TextArea.tsx'
import styles from './LabelsInput.module.css'
import { printLabels, readLabels } from './labels-text.ts'

type Props = {
  readonly label: string
  readonly options: readonly Option[]
  readonly fault: string | null
  readonly onChange: (options: Option[]) => void
}

/** An input for the options of a new question, typed as one text. */
export const LabelsInput = ({ label, options, fault, onChange }: Props) => {
  const { t } = useTranslation('question-types/shared')
  const [typed, setTyped] = useState(() => printLabels(options))
  return (
    <TextArea
      label={label}
      hint={t('options.separated')}
      error={fault}
      className={styles['labels']}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(readLabels(target.value))
      }}
    />
  )
}
