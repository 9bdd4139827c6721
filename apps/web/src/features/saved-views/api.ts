import type { SavedView, SavedViewCreate, SavedViewUpdate } from '@postil/contract/saved-views.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'

/** The user's own views of a dataset, and the shared ones. */
export const viewsQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'views'],
    queryFn: async ({ signal }) =>
      (await call('GET /datasets/:dataset_id/views', { params: { dataset_id: datasetId }, signal })).items,
  })

export const createView = (datasetId: string, body: SavedViewCreate): Promise<SavedView> =>
  call('POST /datasets/:dataset_id/views', { params: { dataset_id: datasetId }, body })

export const updateView = (datasetId: string, id: string, body: SavedViewUpdate): Promise<SavedView> =>
  call('PATCH /datasets/:dataset_id/views/:view_id', { params: { dataset_id: datasetId, view_id: id }, body })

export const deleteView = (datasetId: string, id: string): Promise<SavedView> =>
  call('DELETE /datasets/:dataset_id/views/:view_id', { params: { dataset_id: datasetId, view_id: id } })
