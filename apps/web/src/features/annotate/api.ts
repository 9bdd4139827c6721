import type { getHistory, restoreChange } from '@postil/contract/history.ts'
import type { getMetadataHistogram, getMetadataMetrics } from '@postil/contract/metadata-properties.ts'
import type { getMyMetrics, getProgress } from '@postil/contract/progress.ts'
import type { getMyAnswerMetrics, getSuggestionMetrics } from '@postil/contract/question-metrics.ts'
import type { giveBackLeases, renewLeases, takeFromQueue } from '@postil/contract/queue.ts'
import type { Record as AnnotationRecord, getRecord } from '@postil/contract/records.ts'
import type { ResponseStatus } from '@postil/contract/responses.ts'
import type { listSuggestionOptions, SearchBodyInput, searchMyRecords } from '@postil/contract/search.ts'
import type { QueryClient } from '@tanstack/react-query'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { parseWireTime } from '#i18n/format.ts'
import { call, isAtHand, path } from '#lib/api/client.ts'
import { cacheCounts, cacheMedium } from '#lib/constants.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import type { AnnotationQuery } from '#lib/url/grammar.ts'
import { placeOfPage } from './address/view-of.ts'
import { queueRequest, searchRequest } from './first-requests.ts'
import { handedAtOnce, type RecordPage } from './queue/item.ts'

const datasets = '/api/v1/datasets'
const mine = '/api/v1/me/datasets'

export const metricsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'my-metrics'],
    queryFn: async ({ signal }) => (await call<typeof getMyMetrics>('GET', path(mine, id, 'metrics'), { signal })).responses,
    staleTime: cacheCounts,
  })

export const progressQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'progress'],
    queryFn: ({ signal }) => call<typeof getProgress>('GET', path(datasets, id, 'progress'), { signal }),
    staleTime: cacheCounts,
  })

/** Counts of answers are asked for again. Those that are on their way may be without an answer that was taken since. */
export const countAnew = (queryClient: QueryClient, datasetId: string): void => {
  for (const { queryKey } of [metricsQuery(datasetId), progressQuery(datasetId)]) {
    void queryClient.cancelQueries({ queryKey })
    void queryClient.invalidateQueries({ queryKey })
  }
}

/** What values a metadata property has: terms with counts, or the least and the greatest number. */
export const metadataMetricsQuery = (propertyId: string) =>
  queryOptions({
    queryKey: ['metadata-metrics', propertyId],
    queryFn: ({ signal }) =>
      call<typeof getMetadataMetrics>('GET', path('/api/v1/metadata-properties', propertyId, 'metrics'), { signal }),
  })

/** How the numbers of a metadata property are spread. */
export const metadataHistogramQuery = (propertyId: string) =>
  queryOptions({
    queryKey: ['metadata-histogram', propertyId],
    queryFn: ({ signal }) =>
      call<typeof getMetadataHistogram>('GET', path('/api/v1/metadata-properties', propertyId, 'histogram'), { signal }),
  })

/** How many records have which suggestion to a question. */
export const suggestionMetricsQuery = (questionId: string) =>
  queryOptions({
    queryKey: ['suggestion-metrics', questionId],
    queryFn: ({ signal }) =>
      call<typeof getSuggestionMetrics>('GET', path('/api/v1/questions', questionId, 'suggestions', 'metrics'), { signal }),
  })

/** How many of one's own answers of a status have which value. */
export const answerMetricsQuery = (questionId: string, status: ResponseStatus) =>
  queryOptions({
    queryKey: ['answer-metrics', questionId, status],
    queryFn: ({ signal }) =>
      call<typeof getMyAnswerMetrics>('GET', path('/api/v1/me/questions', questionId, 'responses', 'metrics'), {
        signal,
        query: { status },
      }),
    staleTime: cacheCounts,
  })

/** The names of the agents that gave suggestions, by the id of the question. */
export const agentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'agents'],
    queryFn: async ({ signal }) => {
      const url = path(datasets, id, 'records', 'search', 'suggestions', 'options')
      const { items } = await call<typeof listSuggestionOptions>('GET', url, { signal })
      return new Map(items.map(({ question, agents }) => [question.id, agents]))
    },
  })

export type FoundPage = RecordPage & {
  /** How similar records are to the one asked for, 0 to 1, by their ids; empty where none is asked for. */
  readonly scores: ReadonlyMap<string, number>
  /** It is what this device has, in place of the server's. */
  readonly isAtHand: boolean
}

/** A page of the caller's own search, with the caller's answers and all suggestions. @throws ApiError */
export const searchRecords = async (
  datasetId: string,
  body: SearchBodyInput,
  page: { readonly offset: number; readonly limit: number },
): Promise<FoundPage> => {
  const { path: address, ...asked } = searchRequest(datasetId, body, page)
  const answer = await call<typeof searchMyRecords>('POST', address, { ...asked, soon: true })
  const { items, total } = answer
  const scores = body.query?.vector ? items.map(({ record, query_score }) => [record.id, query_score ?? 0] as const) : []
  return { records: items.map((item) => item.record), total, scores: new Map(scores), isAtHand: isAtHand(answer) }
}

/** What was asked for before its list is there, and how many answers the server had taken by then. */
export type Ahead<T> = T & { readonly confirmations: number }
const ahead = async <T extends object>(ask: () => Promise<T>): Promise<Ahead<T>> => {
  const confirmations = outbox.confirmations()
  return { ...(await ask()), confirmations }
}

const firstPageLimit = 10
const limitOf = (page: AnnotationQuery['page']): number =>
  page.mode === 'bulk' ? Math.max(firstPageLimit, page.size) : firstPageLimit

/** Where a list is read first. What is similar comes as one page: its limit is all of it. */
export const firstPageOf = ({ page, similarity }: Pick<AnnotationQuery, 'page' | 'similarity'>) =>
  similarity ? { offset: 0, limit: similarity.limit } : { offset: placeOfPage(page) - 1, limit: limitOf(page) }

/** The page that a list begins with, so that it can be asked for before the code that shows it is there. */
export const firstPageQuery = (datasetId: string, body: SearchBodyInput, query: Pick<AnnotationQuery, 'page' | 'similarity'>) => {
  const first = firstPageOf(query)
  return queryOptions({
    queryKey: ['dataset', datasetId, 'first-page', body, first],
    queryFn: () => ahead(() => searchRecords(datasetId, body, first)),
    // Taken once: the list changes with every answer.
    staleTime: 0,
    gcTime: 10_000,
  })
}

export type Handed = {
  readonly records: readonly AnnotationRecord[]
  readonly left: number
  /** Those of the records that were named as known that are not counted in it. */
  readonly closed: readonly string[]
  /** How long the records are kept, in milliseconds; null without records. */
  readonly lifetime: number | null
  /** They are what this device has, in place of the server's. */
  readonly isAtHand: boolean
}

/** Records on their way back: taken again before they are there, they would be lost at once. */
let returned: Promise<unknown> = Promise.resolve()

/** The next records, each kept for the caller for a while. @throws ApiError */
export const takeRecords = async (
  datasetId: string,
  asked: { readonly limit: number; readonly exclude: readonly string[] },
): Promise<Handed> => {
  const { path: address, body } = queueRequest(datasetId, asked)
  await returned
  const { items, left, closed } = await call<typeof takeFromQueue>('POST', address, { body, soon: true })
  const until = items[0]?.lease.until
  return {
    records: items.map(({ record }) => record),
    left,
    closed,
    lifetime: until ? parseWireTime(until).getTime() - Date.now() : null,
    isAtHand: false,
  }
}

const passedKey = (datasetId: string) => ['dataset', datasetId, 'passed-over']

/** The records before the one at which the queue was left last, until it is left again or the tab is closed: whoever comes back goes on behind them. */
export const passedOver = {
  of: (queryClient: QueryClient, datasetId: string): readonly string[] => queryClient.getQueryData(passedKey(datasetId)) ?? [],
  keep: (queryClient: QueryClient, datasetId: string, ids: readonly string[]): void => {
    queryClient.setQueryDefaults(passedKey(datasetId), { gcTime: Number.POSITIVE_INFINITY })
    queryClient.setQueryData(passedKey(datasetId), ids)
  },
}

/** What is handed out first, so that it can be asked for before the code that shows it is there. */
export const firstRecordsQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'first-records'],
    queryFn: ({ client }) =>
      ahead(() => takeRecords(datasetId, { limit: handedAtOnce, exclude: passedOver.of(client, datasetId) })),
    // Taken once: it changes with every answer.
    staleTime: 0,
    gcTime: 10_000,
  })

/** So many records are kept, or given back, by one request. */
export const mostLeases = 100

/** Keeps records for another while. @returns those that somebody else has now. @throws ApiError */
export const renewRecords = async (datasetId: string, record_ids: readonly string[]): Promise<readonly string[]> => {
  const body = { record_ids: [...record_ids] }
  const { items } = await call<typeof renewLeases>('PUT', path(mine, datasetId, 'queue', 'leases'), { body })
  return items.filter(({ lease }) => lease === null).map(({ record_id }) => record_id)
}

/** Lets others have records, also while the page is being closed. @throws ApiError */
export const giveBackRecords = async (datasetId: string, ids: readonly string[]): Promise<void> => {
  const given = call<typeof giveBackLeases>('DELETE', path(mine, datasetId, 'queue', 'leases'), {
    query: { ids: ids.join(',') },
    keepalive: true,
    endsSession: false,
    soon: true,
  })
  returned = Promise.allSettled([returned, given])
  await given
}

/** One record by its id, with the caller's answer. @throws ApiError */
export const fetchRecord = (id: string): Promise<AnnotationRecord> => call<typeof getRecord>('GET', path('/api/v1/records', id))

export const recordQuery = (id: string) =>
  queryOptions({ queryKey: ['record', id], queryFn: () => fetchRecord(id), staleTime: cacheMedium })

/** What was changed of a record and of the answers to it, newest first. */
export const historyQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['record', id, 'history'],
    queryFn: ({ pageParam: offset, signal }) =>
      call<typeof getHistory>('GET', path('/api/v1/records', id, 'history'), { query: { offset }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const known = pages.reduce((sum, page) => sum + page.items.length, 0)
      return known < total ? known : undefined
    },
    gcTime: 0,
  })

/** Makes a record, or an answer to it, what it was before a change. @throws ApiError */
export const restore = (id: string, changeId: string, base_version: number | null | undefined) =>
  call<typeof restoreChange>('POST', path('/api/v1/records', id, 'history', changeId, 'restore'), {
    body: base_version === undefined ? {} : { base_version },
  })
