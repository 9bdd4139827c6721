import { z } from 'zod'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { maxVectorDimensions } from './wire/limits.ts'
import { int, itemsOf, printedDatetime, printedUuid, text } from './wire/scalars.ts'

export const VectorSettings = z.strictObject({
  id: printedUuid(),
  name: z.string(),
  title: z.string(),
  dimensions: z.int(),
  dataset_id: printedUuid(),
  inserted_at: printedDatetime(),
  updated_at: printedDatetime(),
})
export type VectorSettings = z.infer<typeof VectorSettings>

const title = text({ min: 1, max: 500 })

export const VectorSettingsCreate = z.object({
  name: text({ min: 1, max: 200 }),
  title,
  dimensions: int({ gt: 0, le: maxVectorDimensions }),
})
export type VectorSettingsCreate = z.infer<typeof VectorSettingsCreate>

/** The title is required here, unlike in other updates. */
export const VectorSettingsUpdate = z.object({ title })
export type VectorSettingsUpdate = z.infer<typeof VectorSettingsUpdate>

export const listVectorsSettings = defineEndpoint({
  id: 'vectors_settings.list',
  method: 'GET',
  path: '/datasets/:dataset_id/vectors-settings',
  result: itemsOf(VectorSettings),
  errors: [403, 404],
  summary: 'List the vector settings of a dataset in creation order',
})
export const createVectorSettings = defineEndpoint({
  id: 'vectors_settings.create',
  method: 'POST',
  path: '/datasets/:dataset_id/vectors-settings',
  body: VectorSettingsCreate,
  status: 201,
  result: VectorSettings,
  errors: [403, 404, 409],
  summary: 'Add vector settings',
})
export const updateVectorSettings = defineEndpoint({
  id: 'vectors_settings.update',
  method: 'PATCH',
  path: '/vectors-settings/:vector_settings_id',
  body: VectorSettingsUpdate,
  result: VectorSettings,
  errors: [403, 404],
  summary: 'Update the title of vector settings',
})
export const deleteVectorSettings = defineEndpoint({
  id: 'vectors_settings.delete',
  method: 'DELETE',
  path: '/vectors-settings/:vector_settings_id',
  result: VectorSettings,
  errors: [403, 404],
  summary: 'Delete vector settings and their stored vectors',
})

export const vectorsSettingsEndpoints = [
  listVectorsSettings,
  createVectorSettings,
  updateVectorSettings,
  deleteVectorSettings,
] as const
