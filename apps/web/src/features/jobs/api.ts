import type { ListedJob } from '@postil/contract/jobs.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { isRunning } from '#lib/jobs.ts'

/** Polling interval for jobs, in milliseconds. */
const pollInterval = 2000

/** The caller's recent jobs, polled while some are running. */
export const myJobsQuery = () =>
  queryOptions({
    queryKey: ['my-jobs'],
    queryFn: async ({ signal }): Promise<readonly ListedJob[]> => (await call('GET /me/jobs', { signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? pollInterval : false),
  })
