import { queryOptions } from '@tanstack/react-query'
import { cacheDefault } from '../constants.ts'
import { call } from './client.ts'

/** The snapshots of a dataset, newest first. */
export const snapshotsQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'snapshots'],
    queryFn: async ({ signal }) =>
      (await call('GET /datasets/:dataset_id/snapshots', { params: { dataset_id: datasetId }, signal })).items,
    staleTime: cacheDefault,
  })
