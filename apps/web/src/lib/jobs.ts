import type { cancelJob, Job } from '@postil/contract/jobs.ts'
import { call, path } from '#lib/api/client.ts'

const running: ReadonlySet<Job['status']> = new Set(['queued', 'started', 'scheduled', 'deferred'])
/** Whether the server goes on with a job, or will. */
export const isRunning = ({ status }: Pick<Job, 'status'>): boolean => running.has(status)

/** Stops a job between two of its steps; what it has done stays. @throws ApiError */
export const stopJob = (id: string): Promise<Job> => call<typeof cancelJob>('POST', path('/api/v1/jobs', id, 'cancel'))

const listeners = new Set<() => void>()

/** Something has been begun that the server goes on with; passes on what the server said of it. */
export const jobStarted = <T>(job: T): T => {
  for (const listener of listeners) listener()
  return job
}

/** Tells when a job was started on this page. @returns ends it */
export const whenJobStarted = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
