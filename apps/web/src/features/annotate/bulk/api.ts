import type { BulkAnswerInput, listBulkAnswers, startBulkAnswer, undoBulkAnswer } from '@postil/contract/bulk-answers.ts'
import type { Job } from '@postil/contract/jobs.ts'
import { queryOptions } from '@tanstack/react-query'
import { href } from '#lib/api/base.ts'
import { call, path } from '#lib/api/client.ts'
import { isRunning, jobStarted } from '#lib/jobs.ts'

const jobsOf = (datasetId: string, ...rest: readonly string[]): string =>
  path('/api/v1/me/datasets', datasetId, 'responses', 'bulk-jobs', ...rest)

/** Has the server answer everything that a search finds. @throws ApiError */
export const startAnswers = (datasetId: string, body: BulkAnswerInput): Promise<Job> =>
  call<typeof startBulkAnswer>('POST', jobsOf(datasetId), { body }).then(jobStarted)

/** Has the server take back what a job has answered. @throws ApiError */
export const undoAnswers = (datasetId: string, jobId: string): Promise<Job> =>
  call<typeof undoBulkAnswer>('POST', jobsOf(datasetId, jobId, 'undo')).then(jobStarted)

/** Where it is told what became of each record. */
export const reportHref = (datasetId: string, jobId: string): string => href(`${jobsOf(datasetId, jobId, 'report')}?format=csv`)

/** How often it is asked how far the server is, in milliseconds. */
const askEvery = 1000

/** The caller's last jobs that answer records, newest first; asked for again as long as one goes on. */
export const answerJobsQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'answer-jobs'],
    queryFn: async ({ signal }) => (await call<typeof listBulkAnswers>('GET', jobsOf(datasetId), { signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(({ job }) => isRunning(job)) ? askEvery : false),
  })
