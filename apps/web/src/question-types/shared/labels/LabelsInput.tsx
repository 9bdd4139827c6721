import type { Option } from '@postil/contract/question-types/options.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { OptionRows } from '../options/OptionRows.tsx'
import type { OptionRow } from '../options/option-rows.ts'
import { labelFaults, maxLabelLength, optionsOf } from './labels-text.ts'

type Props = {
  readonly label: string
  readonly options: readonly Option[]
  readonly fault: string | null
  readonly onChange: (options: Option[]) => void
}

const newRow = (text: string): OptionRow => ({ key: crypto.randomUUID(), text })
const namesIn = (rows: readonly OptionRow[]): readonly string[] =>
  rows.map(({ text }) => text.trim()).filter((text) => text !== '')

/** An input for the options of a new question. Rows without a text are left out. */
export const LabelsInput = ({ label, options, fault, onChange }: Props) => {
  const { t } = useTranslation('question-types/shared')
  const [typed, setTyped] = useState(() => options.map(({ text }) => newRow(text)))
  const faults = labelFaults(typed)
  return (
    <OptionRows
      title={label}
      hint={t('options.paste')}
      rows={typed}
      onRows={(rows) => {
        setTyped([...rows])
        onChange(optionsOf(namesIn(rows)))
      }}
      nameOf={(_, place) => t('options.place', { place })}
      faults={new Map([...faults].map(([key, text]) => [key, t('options.twice', { label: text })]))}
      // A duplicate is reported at its row.
      fault={faults.size > 0 ? null : fault}
      newRow={newRow}
      canRemove={() => true}
      maxLength={maxLabelLength}
    />
  )
}
