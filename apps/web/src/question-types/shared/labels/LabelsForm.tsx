import type { Option } from '@postil/contract/question-types/options.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { LabelsInput } from './LabelsInput.tsx'

type Props<S> = {
  readonly settings: S
  readonly fault: string | null
  readonly onChange: (settings: S) => void
}

/** The labels of a new question, which can form a tree. Other settings of its kind stay unchanged. */
export const LabelsForm = <S extends { readonly options: Option[] }>({ settings, fault, onChange }: Props<S>) => {
  const { t } = useTranslation('question-types/shared/options')
  return (
    <LabelsInput
      label={t('options.title')}
      options={settings.options}
      fault={fault}
      canNest
      onChange={(options) => onChange({ ...settings, options })}
    />
  )
}
