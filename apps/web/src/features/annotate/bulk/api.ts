import type { BulkAnswerInput, listBulkAnswers, startBulkAnswer, undoBulkAnswer } from '@postil/contract/bulk-answers.ts'
import type { Job } from '@postil/contract/jobs.ts'
import { queryOptions } from '@tanstack/react-query'
import { href } from '#lib/api/base.ts'
import { call, path } from '#lib/api/client.ts'
import { isRunning, notifyJobStarted } from '#lib/jobs.ts'

const bulkJobsPath = (datasetId: string, ...rest: readonly string[]): string =>
  path('/api/v1/me/datasets', datasetId, 'responses', 'bulk-jobs', ...rest)

/** Starts a job that answers all records that a search finds. @throws ApiError */
export const startAnswers = (datasetId: string, body: BulkAnswerInput): Promise<Job> =>
  call<typeof startBulkAnswer>('POST', bulkJobsPath(datasetId), { body }).then(notifyJobStarted)

/** Starts a job that undoes the answers of another job. @throws ApiError */
export const undoAnswers = (datasetId: string, jobId: string): Promise<Job> =>
  call<typeof undoBulkAnswer>('POST', bulkJobsPath(datasetId, jobId, 'undo')).then(notifyJobStarted)

/** The URL of the per-record report of a job. */
export const reportHref = (datasetId: string, jobId: string): string =>
  href(`${bulkJobsPath(datasetId, jobId, 'report')}?format=csv`)

/** How often the progress of a job is requested, in milliseconds. */
const pollInterval = 1000

/** The caller's latest bulk answer jobs, newest first. Refreshed while one is running. */
export const answerJobsQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'answer-jobs'],
    queryFn: async ({ signal }) => (await call<typeof listBulkAnswers>('GET', bulkJobsPath(datasetId), { signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(({ job }) => isRunning(job)) ? pollInterval : false),
  })
