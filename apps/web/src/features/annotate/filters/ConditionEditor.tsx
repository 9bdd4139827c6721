import type { Condition } from '#lib/url/grammar.ts'
import type { ValueFilter } from '#question-types/value-filter.ts'
import { RangeFilter } from './RangeFilter.tsx'
import { TermsFilter } from './TermsFilter.tsx'

type Props = {
  readonly filter: ValueFilter
  /** What is restricted, for readers. */
  readonly label: string
  readonly condition: Condition | null
  readonly onChange: (condition: Condition | null) => void
}

/** The controls of one filter. A condition of the other form, as a link may hold, stays until it is changed. */
export const ConditionEditor = ({ filter, label, condition, onChange }: Props) =>
  filter.by === 'terms' ? (
    <TermsFilter filter={filter} label={label} terms={condition?.kind === 'terms' ? condition : null} onChange={onChange} />
  ) : (
    <RangeFilter filter={filter} label={label} range={condition?.kind === 'range' ? condition : null} onChange={onChange} />
  )
