import type { getInstance } from '@postil/contract/info.ts'
import type { listJobs } from '@postil/contract/jobs.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { isRunning } from '#lib/jobs.ts'

const jobs = '/api/v1/jobs'

/** How often jobs are asked for while one of them goes on, and while none does, in milliseconds. */
const [busyRefresh, idleRefresh] = [1500, 8000]
const instanceRefresh = 10_000

/** What the server works on and did lately, newest first. */
export const jobsQuery = () =>
  queryOptions({
    queryKey: ['administration', 'jobs'],
    queryFn: async ({ signal }) => (await call<typeof listJobs>('GET', jobs, { signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? busyRefresh : idleRefresh),
  })

export const instanceQuery = () =>
  queryOptions({
    queryKey: ['administration', 'instance'],
    queryFn: ({ signal }) => call<typeof getInstance>('GET', '/api/v1/instance', { signal }),
    refetchInterval: instanceRefresh,
  })
