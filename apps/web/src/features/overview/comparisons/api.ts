import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { cacheDefault } from '#lib/constants.ts'

/** The metadata properties that name the models of the first and the second compared field. */
export type ModelProperties = { readonly first: string; readonly second: string }

/** @param properties null if no models are ranked */
export const comparisonsQuery = (datasetId: string, properties: ModelProperties | null) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'comparisons', properties?.first ?? null, properties?.second ?? null],
    queryFn: async ({ signal }) =>
      (
        await call('GET /datasets/:dataset_id/comparisons', {
          params: { dataset_id: datasetId },
          query: { ...properties },
          signal,
        })
      ).items,
    placeholderData: keepPreviousData,
    staleTime: cacheDefault,
  })
