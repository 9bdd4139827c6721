import type { ListedJob, listMyJobs } from '@postil/contract/jobs.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { isRunning } from '#lib/jobs.ts'

/** How often it is asked how far the server is, in milliseconds: a look beside other work. */
const askEvery = 2000

/** What the caller has started lately, asked for again as long as some of it goes on. */
export const myJobsQuery = () =>
  queryOptions({
    queryKey: ['my-jobs'],
    queryFn: async ({ signal }): Promise<readonly ListedJob[]> =>
      (await call<typeof listMyJobs>('GET', '/api/v1/me/jobs', { signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? askEvery : false),
  })
