import type { AnswerJobInput } from '@postil/contract/answer-jobs.ts'
import type { Gold } from '@postil/contract/gold.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { ComparedAnswer, GoldInput, GoldJobInput, ReviewQueueResult, ReviewSettingsInput } from '@postil/contract/review.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'

/** Reserves the next records for the reviewer. @throws ApiError */
export const takeReviews = (
  datasetId: string,
  { limit, exclude }: { readonly limit: number; readonly exclude: readonly string[] },
): Promise<ReviewQueueResult> =>
  call('POST /me/datasets/:dataset_id/review-queue', {
    params: { dataset_id: datasetId },
    body: { limit, exclude: [...exclude] },
    hasTimeout: true,
  })

/** Releases reserved records. Works while the page closes. @throws ApiError */
export const releaseReviews = (datasetId: string, ids: readonly string[]): Promise<void> =>
  call('DELETE /me/datasets/:dataset_id/review-queue', {
    params: { dataset_id: datasetId },
    query: { ids: ids.join(',') },
    keepalive: true,
    endsSession: false,
  })

/**
 * Final answers with fewer characters than this are sent with `keepalive`, so that the request continues when the page is closed.
 * Browsers limit the total size of such requests.
 */
const maxKeepaliveLength = 10_000
const requestTimeout = 30_000

/** Stores the final answers of a record. @throws ApiError */
export const putGold = (recordId: string, body: GoldInput): Promise<Gold> =>
  call('PUT /records/:record_id/gold', {
    params: { record_id: recordId },
    body,
    keepalive: JSON.stringify(body).length < maxKeepaliveLength,
    signal: AbortSignal.timeout(requestTimeout),
  })

/** Sends a submitted answer back to its author. @throws ApiError */
export const returnAnswer = ({ id, version }: Pick<ComparedAnswer, 'id' | 'version'>, comment: string) =>
  call('POST /responses/:response_id/return', { params: { response_id: id }, body: { comment, base_version: version } })

/** Replaces the review settings. @throws ApiError */
export const setReviewSettings = (datasetId: string, body: ReviewSettingsInput) =>
  call('PUT /datasets/:dataset_id/review-settings', { params: { dataset_id: datasetId }, body })

/** The records that a job changes. */
export type GoldTarget = Pick<GoldJobInput, 'search' | 'except_ids' | 'record_ids'>

/** Starts a job that stores final answers by applying a rule. @throws ApiError */
export const startGoldJob = (datasetId: string, body: GoldJobInput): Promise<Job> =>
  call('POST /datasets/:dataset_id/gold/jobs', { params: { dataset_id: datasetId }, body })

/** Undoes a job that stored final answers by applying a rule. @throws ApiError */
export const undoGoldJob = (datasetId: string, jobId: string): Promise<Job> =>
  call('POST /datasets/:dataset_id/gold/jobs/:job_id/undo', { params: { dataset_id: datasetId, job_id: jobId } })

/** Starts a job that returns answers to their authors, discards answers, or requests additional answers. @throws ApiError */
export const startAnswerJob = (datasetId: string, body: AnswerJobInput): Promise<Job> =>
  call('POST /datasets/:dataset_id/answers/jobs', { params: { dataset_id: datasetId }, body })

/** Undoes a job that returned answers to their authors, discarded answers, or requested additional answers. @throws ApiError */
export const undoAnswerJob = (datasetId: string, jobId: string): Promise<Job> =>
  call('POST /datasets/:dataset_id/answers/jobs/:job_id/undo', { params: { dataset_id: datasetId, job_id: jobId } })

/** The user's submitted answers that differ from the final answers, the latest reviews first. */
export const correctionsQuery = (datasetId: string) =>
  infiniteQueryOptions({
    queryKey: ['dataset', datasetId, 'corrections', 'pages'],
    queryFn: ({ pageParam: offset, signal }) =>
      call('GET /me/datasets/:dataset_id/corrections', { params: { dataset_id: datasetId }, query: { offset }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
    gcTime: 0,
  })
