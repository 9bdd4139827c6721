import type { cancelJob, Job, ListedJob, listMyJobs } from '@postil/contract/jobs.ts'
import { queryOptions } from '@tanstack/react-query'
import { call, path } from '#lib/api/client.ts'

/** How often it is asked how far the server is, in milliseconds: a look beside other work. */
const askEvery = 2000

const running: ReadonlySet<Job['status']> = new Set(['queued', 'started', 'scheduled', 'deferred'])
export const isRunning = ({ status }: Pick<Job, 'status'>): boolean => running.has(status)

/** What the caller has started lately, asked for again as long as some of it goes on. */
export const myJobsQuery = () =>
  queryOptions({
    queryKey: ['my-jobs'],
    queryFn: async ({ signal }): Promise<readonly ListedJob[]> =>
      (await call<typeof listMyJobs>('GET', '/api/v1/me/jobs', { signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? askEvery : false),
  })

export const stopJob = (id: string): Promise<Job> => call<typeof cancelJob>('POST', path('/api/v1/jobs', id, 'cancel'))
