import type { BulkAnswerInput } from '@postil/contract/bulk-answers.ts'
import type { Job } from '@postil/contract/jobs.ts'
import { queryOptions } from '@tanstack/react-query'
import { href } from '#lib/api/base.ts'
import { call, pathOf } from '#lib/api/client.ts'
import { isRunning, notifyJobStarted } from '#lib/jobs.ts'

/** Starts a job that answers all records that match a search. @throws ApiError */
export const startAnswers = (datasetId: string, body: BulkAnswerInput): Promise<Job> =>
  call('POST /me/datasets/:dataset_id/responses/bulk-jobs', { params: { dataset_id: datasetId }, body }).then(notifyJobStarted)

/** Starts a job that undoes the answers of another job. @throws ApiError */
export const undoAnswers = (datasetId: string, jobId: string): Promise<Job> =>
  call('POST /me/datasets/:dataset_id/responses/bulk-jobs/:job_id/undo', {
    params: { dataset_id: datasetId, job_id: jobId },
  }).then(notifyJobStarted)

/** The URL of a job's per-record report. */
export const reportHref = (datasetId: string, jobId: string): string => {
  const params = { dataset_id: datasetId, job_id: jobId }
  return href(`${pathOf('GET /me/datasets/:dataset_id/responses/bulk-jobs/:job_id/report', params)}?format=csv`)
}

/** How often the progress of a job is requested, in milliseconds. */
const pollInterval = 1000

/** The caller's latest bulk answer jobs, newest first. Refreshed while one is running. */
export const answerJobsQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'answer-jobs'],
    queryFn: async ({ signal }) =>
      (await call('GET /me/datasets/:dataset_id/responses/bulk-jobs', { params: { dataset_id: datasetId }, signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(({ job }) => isRunning(job)) ? pollInterval : false),
  })
