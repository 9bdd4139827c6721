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

/** The submitted answers of a record, grouped by value, with its final answers. For people who can review. */
export const comparisonQuery = (recordId: string) =>
  queryOptions({
    queryKey: ['record', recordId, 'comparison'],
    queryFn: ({ signal }) => call('GET /records/:record_id/comparison', { params: { record_id: recordId }, signal }),
    staleTime: cacheDefault,
  })
