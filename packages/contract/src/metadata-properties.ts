import { z } from 'zod'
import { MetadataSettings, MetadataSettingsCreate } from './metadata-types/index.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { patch } from './wire/patch.ts'
import { bool, int, itemsOf, printedDatetime, printedUuid, text } from './wire/scalars.ts'

export const MetadataProperty = z.strictObject({
  id: printedUuid(),
  name: z.string(),
  title: z.string(),
  settings: MetadataSettings,
  visible_for_annotators: z.boolean(),
  dataset_id: printedUuid(),
  inserted_at: printedDatetime(),
  updated_at: printedDatetime(),
})
export type MetadataProperty = z.infer<typeof MetadataProperty>

/** The maximum number of bins in a histogram. A chart can't show more bars distinctly. */
export const maxHistogramBins = 100

const title = text({ min: 1, max: 500 })

export const MetadataPropertyCreate = z.object({
  name: text({ min: 1, max: 200 }),
  title,
  settings: MetadataSettingsCreate,
  visible_for_annotators: bool().default(true),
})
export type MetadataPropertyCreate = z.infer<typeof MetadataPropertyCreate>

export const MetadataPropertyUpdate = patch({ title, visible_for_annotators: bool() })
export type MetadataPropertyUpdate = z.infer<typeof MetadataPropertyUpdate>

const TermsMetrics = z.strictObject({
  type: z.literal('terms'),
  total: z.int(),
  values: z.array(z.strictObject({ term: z.string(), count: z.int() })),
})
const IntegerMetrics = z.strictObject({ type: z.literal('integer'), min: z.int().nullable(), max: z.int().nullable() })
const FloatMetrics = z.strictObject({ type: z.literal('float'), min: z.number().nullable(), max: z.number().nullable() })
export const MetadataMetrics = z.discriminatedUnion('type', [TermsMetrics, IntegerMetrics, FloatMetrics])
export type MetadataMetrics = z.infer<typeof MetadataMetrics>
/** The maximum number of terms that metrics list. They list the terms with the highest counts. */
export const maxMetricTerms = 16_384

export const listMyMetadataProperties = defineEndpoint({
  id: 'metadata_properties.list_mine',
  method: 'GET',
  path: '/me/datasets/:dataset_id/metadata-properties',
  result: itemsOf(MetadataProperty),
  errors: [403, 404],
  summary: 'List the metadata properties that the caller can see',
})
export const createMetadataProperty = defineEndpoint({
  id: 'metadata_properties.create',
  method: 'POST',
  path: '/datasets/:dataset_id/metadata-properties',
  body: MetadataPropertyCreate,
  status: 201,
  result: MetadataProperty,
  errors: [403, 404, 409],
  summary: 'Add a metadata property',
})
export const updateMetadataProperty = defineEndpoint({
  id: 'metadata_properties.update',
  method: 'PATCH',
  path: '/metadata-properties/:metadata_property_id',
  body: MetadataPropertyUpdate,
  result: MetadataProperty,
  errors: [403, 404],
  summary: 'Update the title or visibility of a metadata property',
})
export const deleteMetadataProperty = defineEndpoint({
  id: 'metadata_properties.delete',
  method: 'DELETE',
  path: '/metadata-properties/:metadata_property_id',
  result: MetadataProperty,
  errors: [403, 404],
  summary: 'Delete a metadata property; records keep their values',
})
export const getMetadataMetrics = defineEndpoint({
  id: 'metadata_properties.metrics',
  method: 'GET',
  path: '/metadata-properties/:metadata_property_id/metrics',
  result: MetadataMetrics,
  errors: [403, 404],
  summary: 'Get the values that records have for a metadata property: terms with counts, or the minimum and maximum',
})

/** Record counts in adjacent bins of equal width. */
export const MetadataHistogram = z.strictObject({
  bins: z.array(
    z.strictObject({
      /** The lower bound, inclusive. `to` is inclusive too, unless the next bin starts there. */
      from: z.number(),
      to: z.number(),
      count: z.int(),
    }),
  ),
})
export type MetadataHistogram = z.infer<typeof MetadataHistogram>

export const getMetadataHistogram = defineEndpoint({
  id: 'metadata_properties.histogram',
  method: 'GET',
  path: '/metadata-properties/:metadata_property_id/histogram',
  query: z.object({ bins: int({ ge: 1, le: maxHistogramBins }).default(24) }),
  result: MetadataHistogram,
  errors: [403, 404],
  addition: true,
  summary: 'Get a histogram of a numeric metadata property',
})

export const metadataPropertyEndpoints = [
  listMyMetadataProperties,
  createMetadataProperty,
  updateMetadataProperty,
  deleteMetadataProperty,
  getMetadataMetrics,
  getMetadataHistogram,
] as const
