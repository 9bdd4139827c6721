import type { Job } from '@postil/contract/jobs.ts'
import { call } from '#lib/api/client.ts'

const runningStatuses: ReadonlySet<Job['status']> = new Set(['queued', 'started', 'scheduled', 'deferred'])
/** Whether a job is running or waiting to run. */
export const isRunning = ({ status }: Pick<Job, 'status'>): boolean => runningStatuses.has(status)

/** Stops a job between two steps. Completed steps are not undone. @throws ApiError */
export const stopJob = (id: string): Promise<Job> => call('POST /jobs/:job_id/cancel', { params: { job_id: id } })

/** How often `untilEnded` requests a job, in milliseconds. */
const pollInterval = 1000

/** Polls a job until it has ended. @returns its last state. @throws ApiError */
export const untilEnded = async (job: Job): Promise<Job> => {
  let current = job
  while (isRunning(current)) {
    await new Promise((resolve) => setTimeout(resolve, pollInterval))
    current = await call('GET /jobs/:job_id', { params: { job_id: job.id } })
  }
  return current
}

const listeners = new Set<() => void>()

export const notifyJobStarted = <T>(job: T): T => {
  for (const listener of listeners) listener()
  return job
}

/**
 * Calls the listener whenever a job is started in this tab.
 * @returns a function that unsubscribes
 */
export const onJobStarted = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
