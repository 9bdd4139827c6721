import type { MetadataHistogram } from '@postil/contract/metadata-properties.ts'
import type { ValueCounts } from '@postil/contract/question-metrics.ts'
import type { ValueFilter } from '#question-types/value-filter.ts'

type Bins = MetadataHistogram['bins']
/** A filter with its bins. `bins` is null while the bins are loading, and undefined if they aren't available. */
export type Counted = { readonly filter: ValueFilter; readonly bins?: Bins | null | undefined }

/**
 * Returns a filter and the number of records for each of its values. Terms keep their order and get counts. A range gets one bin
 * for each possible number.
 * @param counts undefined while loading, null if not available
 */
export const counted = (filter: ValueFilter, counts: ValueCounts | null | undefined): Counted => {
  const known = new Map(counts?.map(({ value, count }) => [value, count]))
  if (filter.by === 'terms') {
    if (!counts) return { filter }
    return { filter: { ...filter, options: filter.options.map((one) => ({ ...one, count: known.get(one.value) ?? 0 })) } }
  }
  const { min, max } = filter
  if (min === null || max === null || counts === null) return { filter }
  if (counts === undefined) return { filter, bins: null }
  if (counts.length === 0) return { filter }
  const bins = Array.from({ length: max - min + 1 }, (_, at) => ({
    from: min + at,
    to: min + at,
    count: known.get(min + at) ?? 0,
  }))
  return { filter, bins }
}

/**
 * Returns the filter together with the given bins. Undefined bins are treated as loading, and null or empty bins as not
 * available.
 */
export const withBins = (filter: ValueFilter, bins: Bins | null | undefined): Counted => {
  if (bins === undefined) return { filter, bins: null }
  return bins === null || bins.length === 0 ? { filter } : { filter, bins }
}
