import { treeOrder } from '@postil/contract/question-types/label-tree.ts'
import type { Option } from '@postil/contract/question-types/options.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { OptionRows } from '../options/OptionRows.tsx'
import type { OptionRow } from '../options/option-rows.ts'
import { labelFaults, maxLabelLength, optionsOfRows } from './labels-text.ts'

type Props = {
  readonly label: string
  readonly options: readonly Option[]
  readonly fault: string | null
  /** Whether the labels can form a tree. */
  readonly canNest?: boolean
  readonly onChange: (options: Option[]) => void
}

const newRow = (text: string): OptionRow => ({ key: crypto.randomUUID(), text })
/** An input for the options of a new question. Rows without text are left out. */
export const LabelsInput = ({ label, options, fault, canNest, onChange }: Props) => {
  const { t } = useTranslation('question-types/shared/options')
  const [typed, setTyped] = useState(() =>
    treeOrder(options).map(({ option, depth }): OptionRow => ({ ...newRow(option.text), depth })),
  )
  const faults = labelFaults(typed)
  return (
    <OptionRows
      title={label}
      hint={canNest ? t('options.pasteTree') : t('options.paste')}
      rows={typed}
      onRows={(rows) => {
        setTyped([...rows])
        onChange(optionsOfRows(rows))
      }}
      nameOf={(_, place) => t('options.place', { place })}
      faults={new Map([...faults].map(([key, text]) => [key, t('options.twice', { label: text })]))}
      // A duplicate is reported at its row.
      fault={faults.size > 0 ? null : fault}
      newRow={newRow}
      canNest={canNest === true}
      canRemove={() => true}
      maxLength={maxLabelLength}
    />
  )
}
