import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { isRunning } from '#lib/jobs.ts'

/** How often the list of jobs is refreshed, in milliseconds: while a job is running, and while none is running. */
const [busyInterval, idleInterval] = [1500, 8000]
const instanceInterval = 10_000

/** Running and recent jobs, newest first. */
export const jobsQuery = () =>
  queryOptions({
    queryKey: ['administration', 'jobs'],
    queryFn: async ({ signal }) => (await call('GET /jobs', { signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? busyInterval : idleInterval),
  })

export const instanceQuery = () =>
  queryOptions({
    queryKey: ['administration', 'instance'],
    queryFn: ({ signal }) => call('GET /instance', { signal }),
    refetchInterval: instanceInterval,
  })
