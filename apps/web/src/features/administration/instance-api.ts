import type { getInstance } from '@postil/contract/info.ts'
import type { listJobs } from '@postil/contract/jobs.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { isRunning } from '#lib/jobs.ts'

const jobs = '/api/v1/jobs'

/** How often jobs are refreshed while one is running and while none is, in milliseconds. */
const [busyInterval, idleInterval] = [1500, 8000]
const instanceInterval = 10_000

/** Running and recent jobs, newest first. */
export const jobsQuery = () =>
  queryOptions({
    queryKey: ['administration', 'jobs'],
    queryFn: async ({ signal }) => (await call<typeof listJobs>('GET', jobs, { signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? busyInterval : idleInterval),
  })

export const instanceQuery = () =>
  queryOptions({
    queryKey: ['administration', 'instance'],
    queryFn: ({ signal }) => call<typeof getInstance>('GET', '/api/v1/instance', { signal }),
    refetchInterval: instanceInterval,
  })
