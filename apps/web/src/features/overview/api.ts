import type { Agreement } from '@postil/contract/agreement.ts'
import type { Insights } from '@postil/contract/insights.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { cacheDefault } from '#lib/constants.ts'

/** Days begin at midnight in the browser's time zone, as in the filters of the records page. */
const timeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

type Options = { readonly fresh: boolean; readonly signal?: AbortSignal }

const getInsights = (datasetId: string, { fresh, signal }: Options): Promise<Insights> =>
  call('GET /datasets/:dataset_id/insights', {
    params: { dataset_id: datasetId },
    query: { time_zone: timeZone(), fresh },
    ...(signal && { signal }),
  })
/**
 * Reads how well the answers agree with each other and with the final answers.
 * @param version if set, only the answers that were given under this version are compared; null for all answers
 */
const getAgreement = (datasetId: string, version: number | null, { fresh, signal }: Options): Promise<Agreement> =>
  call('GET /datasets/:dataset_id/agreement', {
    params: { dataset_id: datasetId },
    query: { raters: 'gold', fresh, ...(version !== null && { version }) },
    ...(signal && { signal }),
  })

export const insightsQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'insights'],
    queryFn: ({ signal }) => getInsights(datasetId, { fresh: false, signal }),
    staleTime: cacheDefault,
  })
export const agreementQuery = (datasetId: string, version: number | null) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'agreement', version],
    queryFn: ({ signal }) => getAgreement(datasetId, version, { fresh: false, signal }),
    staleTime: cacheDefault,
  })

/** The results of people's answers to test items. */
export const testResultsQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'test-results'],
    queryFn: ({ signal }) => call('GET /datasets/:dataset_id/checks', { params: { dataset_id: datasetId }, signal }),
    staleTime: cacheDefault,
  })

/**
 * Lets a person get records again. The person was stopped because of wrong answers to test items.
 * @throws ApiError
 */
export const letContinue = (datasetId: string, userId: string): Promise<void> =>
  call('POST /datasets/:dataset_id/checks/:user_id/continue', { params: { dataset_id: datasetId, user_id: userId } })

/** Reads results that the server computes now instead of taking them from its cache. */
export const freshInsights = (datasetId: string): Promise<Insights> => getInsights(datasetId, { fresh: true })
export const freshAgreement = (datasetId: string, version: number | null): Promise<Agreement> =>
  getAgreement(datasetId, version, { fresh: true })

export const confusionQuery = (questionId: string, a: string, b: string) =>
  queryOptions({
    queryKey: ['question', questionId, 'confusion', a, b],
    queryFn: ({ signal }) =>
      call('GET /questions/:question_id/agreement/confusion', { params: { question_id: questionId }, query: { a, b }, signal }),
    staleTime: cacheDefault,
  })
