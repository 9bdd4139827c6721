import type { MetadataMetrics } from '@postil/contract/metadata-properties.ts'
import type { MetadataKind } from '@postil/contract/metadata-types/define.ts'
import type { ValueFilter } from '#question-types/value-filter.ts'

type MetricsOf<K extends MetadataKind> = Extract<MetadataMetrics, { type: K }>

const filters: { readonly [K in MetadataKind]: (metrics: MetricsOf<K>) => ValueFilter } = {
  terms: ({ values }) => ({
    by: 'terms',
    combined: false,
    options: values.map(({ term, count }) => ({ value: term, text: term, count })),
  }),
  integer: ({ min, max }) => ({ by: 'range', min, max, whole: true }),
  float: ({ min, max }) => ({ by: 'range', min, max, whole: false }),
}

/** Whether the values of a kind are numbers, which have a distribution. */
export const hasNumbers: { readonly [K in MetadataKind]: boolean } = { terms: false, integer: true, float: true }

/** Returns the filter for a metadata property, derived from its values. */
export const metadataFilter = <K extends MetadataKind>(metrics: MetricsOf<K>): ValueFilter =>
  (filters[metrics.type as K] as (metrics: MetricsOf<K>) => ValueFilter)(metrics)
