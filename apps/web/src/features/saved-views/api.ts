import type {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  SavedView,
  SavedViewCreate,
  SavedViewUpdate,
  updateSavedView,
} from '@postil/contract/saved-views.ts'
import { queryOptions } from '@tanstack/react-query'
import { call, path } from '#lib/api/client.ts'

const of = (datasetId: string, ...more: readonly string[]): string => path('/api/v1/datasets', datasetId, 'views', ...more)

/** The user's own views of a dataset, and the shared ones. */
export const viewsQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'views'],
    queryFn: async ({ signal }) => (await call<typeof listSavedViews>('GET', of(datasetId), { signal })).items,
  })

export const createView = (datasetId: string, body: SavedViewCreate): Promise<SavedView> =>
  call<typeof createSavedView>('POST', of(datasetId), { body })

export const updateView = (datasetId: string, id: string, body: SavedViewUpdate): Promise<SavedView> =>
  call<typeof updateSavedView>('PATCH', of(datasetId, id), { body })

export const deleteView = (datasetId: string, id: string): Promise<SavedView> =>
  call<typeof deleteSavedView>('DELETE', of(datasetId, id))
