import { queryOptions } from '@tanstack/react-query'
import { isRunning } from '#lib/jobs.ts'
import { call } from './client.ts'

const pollInterval = 1000

/** The versions of the labels and guidelines, newest first. Refetched while one of them is being applied to stored answers. */
export const schemaVersionsQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'schema-versions'],
    queryFn: async ({ signal }) =>
      (await call('GET /datasets/:dataset_id/schema-versions', { params: { dataset_id: datasetId }, signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(({ job }) => job !== null && isRunning(job)) ? pollInterval : false),
  })
