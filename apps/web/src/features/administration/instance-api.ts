import type { getInstance } from '@postil/contract/info.ts'
import type { cancelJob, JobStatus, ListedJob, listJobs } from '@postil/contract/jobs.ts'
import { queryOptions } from '@tanstack/react-query'
import { call, path } from '#lib/api/client.ts'

const jobs = '/api/v1/jobs'

/** How often jobs are asked for while one of them goes on, and while none does, in milliseconds. */
const [busyRefresh, idleRefresh] = [1500, 8000]
const instanceRefresh = 10_000

const goesOn: ReadonlySet<JobStatus> = new Set(['queued', 'scheduled', 'started', 'deferred'])
export const isGoingOn = ({ status }: Pick<ListedJob, 'status'>): boolean => goesOn.has(status)

/** What the server works on and did lately, newest first. */
export const jobsQuery = () =>
  queryOptions({
    queryKey: ['administration', 'jobs'],
    queryFn: async ({ signal }) => (await call<typeof listJobs>('GET', jobs, { signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(isGoingOn) ? busyRefresh : idleRefresh),
  })

/** Stops a job between two of its steps. @throws ApiError */
export const stopJob = (id: string) => call<typeof cancelJob>('POST', path(jobs, id, 'cancel'))

export const instanceQuery = () =>
  queryOptions({
    queryKey: ['administration', 'instance'],
    queryFn: ({ signal }) => call<typeof getInstance>('GET', '/api/v1/instance', { signal }),
    refetchInterval: instanceRefresh,
  })
