import { z } from 'zod'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { patch } from './wire/patch.ts'
import { bool, int, itemsOf, jsonObject, printedDatetime, printedUuid, text, uuid } from './wire/scalars.ts'

export const DatasetStatus = z.enum(['draft', 'ready'])
export type DatasetStatus = z.infer<typeof DatasetStatus>

export const Distribution = z.strictObject({ strategy: z.literal('overlap'), min_submitted: z.int() })
export type Distribution = z.infer<typeof Distribution>
const DistributionInput = z.object({ strategy: z.literal('overlap'), min_submitted: int({ ge: 1 }) })

export const Dataset = z.strictObject({
  id: printedUuid(),
  name: z.string(),
  guidelines: z.string().nullable(),
  allow_extra_metadata: z.boolean(),
  status: DatasetStatus,
  distribution: Distribution,
  metadata: jsonObject().nullable(),
  workspace_id: printedUuid(),
  last_activity_at: printedDatetime(),
  inserted_at: printedDatetime(),
  updated_at: printedDatetime(),
})
export type Dataset = z.infer<typeof Dataset>

const name = text({ min: 1, max: 200 })
export const guidelines = text({ min: 1, max: 10_000 })

export const DatasetCreate = z.object({
  name,
  guidelines: guidelines.nullish(),
  allow_extra_metadata: bool().default(true),
  distribution: DistributionInput.default({ strategy: 'overlap', min_submitted: 1 }),
  metadata: jsonObject().nullish(),
  workspace_id: uuid(),
})
export type DatasetCreate = z.infer<typeof DatasetCreate>

export const DatasetUpdate = patch(
  { name, allow_extra_metadata: bool(), distribution: DistributionInput },
  { guidelines, metadata: jsonObject() },
)
export type DatasetUpdate = z.infer<typeof DatasetUpdate>

export const listMyDatasets = defineEndpoint({
  id: 'datasets.list_mine',
  method: 'GET',
  path: '/me/datasets',
  query: z.object({ workspace_id: uuid().optional(), name: text({ keep: false }).optional(), status: DatasetStatus.optional() }),
  result: itemsOf(Dataset),
  errors: [403],
  summary: 'List the datasets that the caller can see, oldest first',
})
export const createDataset = defineEndpoint({
  id: 'datasets.create',
  method: 'POST',
  path: '/datasets',
  body: DatasetCreate,
  status: 201,
  result: Dataset,
  errors: [403, 409],
  summary: 'Create a draft dataset',
})
export const getDataset = defineEndpoint({
  id: 'datasets.get',
  method: 'GET',
  path: '/datasets/:dataset_id',
  result: Dataset,
  errors: [403, 404],
  summary: 'Get a dataset',
})
export const updateDataset = defineEndpoint({
  id: 'datasets.update',
  method: 'PATCH',
  path: '/datasets/:dataset_id',
  body: DatasetUpdate,
  result: Dataset,
  errors: [403, 404, 409],
  summary: 'Update a dataset',
})
export const publishDataset = defineEndpoint({
  id: 'datasets.publish',
  method: 'PUT',
  path: '/datasets/:dataset_id/publish',
  result: Dataset,
  errors: [403, 404],
  summary: 'Publish a draft dataset, so that it accepts records and answers',
})
export const deleteDataset = defineEndpoint({
  id: 'datasets.delete',
  method: 'DELETE',
  path: '/datasets/:dataset_id',
  result: Dataset,
  errors: [403, 404],
  summary: 'Delete a dataset and everything in it',
})

export const datasetEndpoints = [listMyDatasets, createDataset, getDataset, updateDataset, publishDataset, deleteDataset] as const
