import type { Condition } from '@postil/contract/annotation-query/grammar.ts'
import type { MetadataHistogram } from '@postil/contract/metadata-properties.ts'
import type { ValueFilter } from '#question-types/value-filter.ts'
import { RangeFilter } from '../values/RangeFilter.tsx'
import { TermsFilter } from '../values/TermsFilter.tsx'

type Props = {
  readonly filter: ValueFilter
  /** What the filter restricts, for screen readers. */
  readonly label: string
  readonly condition: Condition | null
  /** The distribution of the numbers. Null while loading, undefined if not available. */
  readonly bins?: MetadataHistogram['bins'] | null | undefined
  /** Colors that were chosen for the values. */
  readonly dots?: ReadonlyMap<string, number> | undefined
  readonly onChange: (condition: Condition | null) => void
}

/**
 * The controls of a filter. A condition that the controls can't show, such as one from a link, stays until the user changes it.
 */
export const ConditionEditor = ({ filter, label, condition, bins, dots, onChange }: Props) =>
  filter.by === 'terms' ? (
    <TermsFilter
      filter={filter}
      label={label}
      dots={dots}
      terms={condition?.kind === 'terms' ? condition : null}
      onChange={onChange}
    />
  ) : (
    <RangeFilter
      filter={filter}
      label={label}
      bins={bins}
      range={condition?.kind === 'range' ? condition : null}
      onChange={onChange}
    />
  )
