import { queryOptions } from '@tanstack/react-query'
import { cacheDefault, cacheMedium } from '#lib/constants.ts'
import { call } from './client.ts'

/** The review settings of a dataset, and whether the caller can review. */
export const reviewSettingsQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'review-settings'],
    queryFn: ({ signal }) => call('GET /datasets/:dataset_id/review-settings', { params: { dataset_id: datasetId }, signal }),
    staleTime: cacheMedium,
  })

/** The submitted answers to a record, grouped by value, and the record's final answers. For people who can review. */
export const comparisonQuery = (recordId: string) =>
  queryOptions({
    queryKey: ['record', recordId, 'comparison'],
    queryFn: ({ signal }) => call('GET /records/:record_id/comparison', { params: { record_id: recordId }, signal }),
    staleTime: cacheDefault,
  })

/** Whether some of the user's answers differ from the final answers. */
export const hasCorrectionsQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'corrections', 'any'],
    queryFn: async ({ signal }): Promise<boolean> => {
      const { items, next } = await call('GET /me/datasets/:dataset_id/corrections', {
        params: { dataset_id: datasetId },
        query: { limit: 1 },
        signal,
      })
      return items.length > 0 || next !== null
    },
    staleTime: cacheDefault,
  })
