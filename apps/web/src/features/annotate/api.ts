import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import type { QueuePurpose } from '@postil/contract/queue.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { ResponseStatus } from '@postil/contract/responses.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'
import { maxExcludedRecords } from '@postil/contract/wire/limits.ts'
import type { QueryClient } from '@tanstack/react-query'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { parseWireTime } from '#i18n/format.ts'
import { call, isFromDevice } from '#lib/api/client.ts'
import { datasetQuery, isUnknownDataset } from '#lib/api/dataset-queries.ts'
import { cacheCounts, cacheMedium } from '#lib/constants.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import { startOfPage } from './address/page.ts'
import { queueRequest, searchRequest } from './queue/first-requests.ts'
import { leaseEndOf, noteLeaseEnd } from './queue/lease-ends.ts'
import { leaseBatchSize, type RecordPage } from './queue/list-item.ts'
import { visitedBefore } from './queue/queue-start.ts'

export const metricsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'my-metrics'],
    queryFn: async ({ signal }) =>
      (await call('GET /me/datasets/:dataset_id/metrics', { params: { dataset_id: id }, signal })).responses,
    staleTime: cacheCounts,
  })

/** Whether the user has given too many wrong answers to test items and therefore gets no more records. */
export const stoppedQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'stopped'],
    queryFn: async ({ signal }) =>
      (await call('GET /me/datasets/:dataset_id/metrics', { params: { dataset_id: id }, signal })).stopped,
    gcTime: 0,
  })

/** How the guidelines and descriptions have changed since the caller last saw them. Null if they haven't changed. */
export const textChangesQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'text-changes'],
    queryFn: async ({ signal }) =>
      (await call('GET /me/datasets/:dataset_id/seen-version', { params: { dataset_id: id }, signal })).text_changes,
    staleTime: cacheMedium,
  })

/** Tells the server that the user has seen the guidelines and descriptions of a version. @throws ApiError */
export const seeVersion = (id: string, version: number): Promise<unknown> =>
  call('PUT /me/datasets/:dataset_id/seen-version', { params: { dataset_id: id }, body: { version } })

export const progressQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'progress'],
    queryFn: ({ signal }) => call('GET /datasets/:dataset_id/progress', { params: { dataset_id: id }, signal }),
    staleTime: cacheCounts,
  })

/** The caller's active time in a dataset. A cached result is never used, because every answer changes the time. */
export const ownTimeQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'my-active-time'],
    queryFn: ({ signal }) => call('GET /me/datasets/:dataset_id/active-time', { params: { dataset_id: id }, signal }),
    staleTime: 0,
  })

/**
 * Reloads the counts of answers. Requests in flight are replaced, because their counts may not include the latest confirmed
 * answer.
 */
export const refetchCounts = (queryClient: QueryClient, datasetId: string): void => {
  for (const { queryKey } of [metricsQuery(datasetId), progressQuery(datasetId)]) {
    void queryClient.cancelQueries({ queryKey })
    void queryClient.invalidateQueries({ queryKey })
  }
}

/**
 * Reads the dataset again if an error says that an item in the dataset doesn't exist. The whole dataset may have been deleted.
 * The screen then says so.
 */
export const recheckDataset = (queryClient: QueryClient, datasetId: string, error: unknown): void => {
  if (isUnknownDataset(error)) void queryClient.invalidateQueries({ queryKey: datasetQuery(datasetId).queryKey, exact: true })
}

/** The values of a metadata property: terms with counts, or the minimum and maximum. */
export const metadataMetricsQuery = (propertyId: string) =>
  queryOptions({
    queryKey: ['metadata-metrics', propertyId],
    queryFn: ({ signal }) =>
      call('GET /metadata-properties/:metadata_property_id/metrics', { params: { metadata_property_id: propertyId }, signal }),
  })

/** The distribution of a numeric metadata property. */
export const metadataHistogramQuery = (propertyId: string) =>
  queryOptions({
    queryKey: ['metadata-histogram', propertyId],
    queryFn: ({ signal }) =>
      call('GET /metadata-properties/:metadata_property_id/histogram', { params: { metadata_property_id: propertyId }, signal }),
  })

/** How many records have each suggested value for a question. */
export const suggestionMetricsQuery = (questionId: string) =>
  queryOptions({
    queryKey: ['suggestion-metrics', questionId],
    queryFn: ({ signal }) =>
      call('GET /questions/:question_id/suggestions/metrics', { params: { question_id: questionId }, signal }),
  })

/** For each value: how many of the user's answers with the given status have this value. */
export const answerMetricsQuery = (questionId: string, status: ResponseStatus) =>
  queryOptions({
    queryKey: ['answer-metrics', questionId, status],
    queryFn: ({ signal }) =>
      call('GET /me/questions/:question_id/responses/metrics', {
        params: { question_id: questionId },
        signal,
        query: { status },
      }),
    staleTime: cacheCounts,
  })

/** The names of the agents that made suggestions, keyed by question ID. */
export const agentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'agents'],
    queryFn: async ({ signal }) => {
      const { items } = await call('GET /datasets/:dataset_id/records/search/suggestions/options', {
        params: { dataset_id: id },
        signal,
      })
      return new Map(items.map(({ question, agents }) => [question.id, agents]))
    },
  })

export type FoundPage = RecordPage & {
  /**
   * The similarity of each record to the reference record, from 0 to 1, keyed by record ID. Empty if there is no reference
   * record.
   */
  readonly scores: ReadonlyMap<string, number>
  /** Whether the result comes from this device instead of the server. */
  readonly isFromDevice: boolean
}

/** Returns a page of the caller's own search, with the caller's answers and all suggestions. @throws ApiError */
export const searchRecords = async (
  datasetId: string,
  body: SearchBodyInput,
  page: { readonly offset: number; readonly limit: number },
): Promise<FoundPage> => {
  const { route, ...request } = searchRequest(datasetId, body, page)
  const answer = await call(route, { ...request, hasTimeout: true })
  const { items, total } = answer
  const scores = body.query?.vector ? items.map(({ record, query_score }) => [record.id, query_score ?? 0] as const) : []
  return { records: items.map((item) => item.record), total, scores: new Map(scores), isFromDevice: isFromDevice(answer) }
}

/**
 * Returns those of the given records that exist, in any order. They contain only the caller's answers. By contrast, `GET
 * /records/{id}` returns everyone's answers to owners and admins. @throws ApiError
 */
export const fetchOwnRecords = async (datasetId: string, ids: readonly string[]): Promise<readonly AnnotationRecord[]> => {
  const filter = { type: 'terms' as const, scope: { entity: 'record' as const, property: 'id' as const }, values: [...ids] }
  const { records } = await searchRecords(datasetId, { filters: { and: [filter] } }, { offset: 0, limit: ids.length })
  return records
}

/** Returns a record with only the caller's answer, or null if it doesn't exist. @throws ApiError */
export const fetchOwnRecord = async (datasetId: string, id: string): Promise<AnnotationRecord | null> =>
  (await fetchOwnRecords(datasetId, [id]))[0] ?? null

/** A prefetched result, with the number of answers that the server had confirmed at the time of the request. */
export type Prefetched<T> = T & { readonly confirmations: number }
const withConfirmations = async <T extends object>(ask: () => Promise<T>): Promise<Prefetched<T>> => {
  const confirmations = outbox.confirmations()
  return { ...(await ask()), confirmations }
}

const firstPageLimit = 10
const limitOf = (page: AnnotationQuery['page']): number =>
  page.mode === 'bulk' ? Math.max(firstPageLimit, page.size) : firstPageLimit

/** The first page of a list. A similarity search has only one page, because its limit applies to the whole result. */
export const firstPageOf = ({ page, similarity }: Pick<AnnotationQuery, 'page' | 'similarity'>) =>
  similarity ? { offset: 0, limit: similarity.limit } : { offset: startOfPage(page) - 1, limit: limitOf(page) }

/** The first page of a list, as a query that can run before the code of the screen has loaded. */
export const firstPageQuery = (datasetId: string, body: SearchBodyInput, query: Pick<AnnotationQuery, 'page' | 'similarity'>) => {
  const first = firstPageOf(query)
  return queryOptions({
    queryKey: ['dataset', datasetId, 'first-page', body, first],
    queryFn: () => withConfirmations(() => searchRecords(datasetId, body, first)),
    // A result is used only once, because the list changes with every answer.
    staleTime: 0,
    gcTime: 10_000,
  })
}

export type LeasedRecords = {
  readonly records: readonly AnnotationRecord[]
  readonly left: number
  /** The excluded records that aren't counted in `left`. */
  readonly closed: readonly string[]
  /** The records that are leased to the caller. Viewing a record doesn't give owners and admins a lease on it. */
  readonly leased: readonly string[]
  /** How long the leases last, in milliseconds. Null if there are none. */
  readonly lifetime: number | null
  readonly isFromDevice: boolean
}

/**
 * Pending releases of leases. Leases are requested and renewed only after these releases finish, because a late release would
 * drop the new lease.
 */
let pendingRelease: Promise<unknown> = Promise.resolve()

/** Leases the next records to the caller. @throws ApiError */
export const leaseRecords = async (
  datasetId: string,
  request: { readonly limit: number; readonly exclude: readonly string[]; readonly purpose?: QueuePurpose },
): Promise<LeasedRecords> => {
  const { route, ...parts } = queueRequest(datasetId, request)
  await pendingRelease
  const { items, left, closed } = await call(route, { ...parts, hasTimeout: true })
  for (const { record, lease } of items) if (lease) noteLeaseEnd(record.id, lease.until)
  const untils = items.flatMap(({ lease }) => (lease ? [parseWireTime(lease.until).getTime()] : []))
  return {
    records: items.map(({ record }) => record),
    leased: items.filter(({ lease }) => lease !== null).map(({ record }) => record.id),
    left,
    closed,
    // The lease that ends first counts. Records that the user has already edited have longer leases than the others.
    lifetime: untils.length === 0 ? null : Math.min(...untils) - Date.now(),
    isFromDevice: false,
  }
}

const skippedKey = (datasetId: string) => ['dataset', datasetId, 'passed-over']

/**
 * The records that preceded the record on the screen when the user last left the queue. On return, the queue continues after
 * them. They are kept until the user leaves the queue again or closes the tab.
 */
export const skippedRecords = {
  of: (queryClient: QueryClient, datasetId: string): readonly string[] => queryClient.getQueryData(skippedKey(datasetId)) ?? [],
  keep: (queryClient: QueryClient, datasetId: string, ids: readonly string[]): void => {
    queryClient.setQueryDefaults(skippedKey(datasetId), { gcTime: Number.POSITIVE_INFINITY })
    queryClient.setQueryData(skippedKey(datasetId), ids)
  },
}

/**
 * Returns the records that come last when the queue is opened at a position. These are skipped records and records that the user
 * saw before this position.
 */
export const deferredAt = (queryClient: QueryClient, datasetId: string, position: number): readonly string[] => {
  const { earlier } = visitedBefore(queryClient, { datasetId, position })
  return [...new Set([...skippedRecords.of(queryClient, datasetId), ...earlier.ids])]
}

/** The first records of the queue, as a query that can run before the code of the screen has loaded. */
export const firstRecordsQuery = (datasetId: string, position: number) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'first-records', position],
    queryFn: ({ client }) =>
      withConfirmations(() =>
        leaseRecords(datasetId, {
          limit: leaseBatchSize,
          exclude: deferredAt(client, datasetId, position).slice(-maxExcludedRecords),
        }),
      ),
    // A result is used only once, because the queue changes with every answer.
    staleTime: 0,
    gcTime: 10_000,
  })

type Renewal = {
  readonly purpose: QueuePurpose
  /** Whether to also lease the records that the caller has no lease on. */
  readonly acquire: boolean
}

/** Renews leases. @returns the IDs of the records that the caller has no lease on now. @throws ApiError */
export const renewRecords = async (
  datasetId: string,
  record_ids: readonly string[],
  renewal: Renewal,
): Promise<readonly string[]> => {
  const body = { record_ids: [...record_ids], ...renewal }
  await pendingRelease
  const { items } = await call('PUT /me/datasets/:dataset_id/queue/leases', { params: { dataset_id: datasetId }, body })
  for (const { record_id, lease } of items) if (lease) noteLeaseEnd(record_id, lease.until)
  return items.filter(({ lease }) => lease === null).map(({ record_id }) => record_id)
}

type Release = { readonly ids: readonly string[]; readonly purpose: QueuePurpose }

const sendRelease = (datasetId: string, { ids, ...query }: Release & { readonly until?: string; readonly delay?: number }) =>
  call('DELETE /me/datasets/:dataset_id/queue/leases', {
    params: { dataset_id: datasetId },
    query: { ids: ids.join(','), ...query },
    keepalive: true,
    endsSession: false,
    hasTimeout: true,
  })

/** Releases leases. With the purpose `view`, releases only the leases for viewing. @throws ApiError */
export const releaseRecords = async (datasetId: string, ids: readonly string[], purpose: QueuePurpose): Promise<void> => {
  const release = sendRelease(datasetId, { ids, purpose })
  pendingRelease = Promise.allSettled([pendingRelease, release])
  await release
}

/** How long the records of a closed page stay leased, in seconds. A page that is reloaded leases them again within this time. */
const closingDelay = 5

/**
 * Releases leases for viewing while the page closes. Keeps leases that another page of the user has renewed, for example the same
 * page after a reload. @throws ApiError
 */
export const releaseOnClose = async (datasetId: string, ids: readonly string[]): Promise<void> => {
  // Leases that were taken or renewed together end at the same time.
  const groups = Map.groupBy(ids, leaseEndOf)
  const releases = [...groups].map(([until, group]) =>
    sendRelease(datasetId, { ids: group, purpose: 'view', delay: closingDelay, ...(until !== undefined && { until }) }),
  )
  pendingRelease = Promise.allSettled([pendingRelease, ...releases])
  await Promise.all(releases)
}

/** Returns a record by its ID, with the caller's answer. @throws ApiError */
const fetchRecord = (id: string): Promise<AnnotationRecord> => call('GET /records/:record_id', { params: { record_id: id } })

export const recordQuery = (id: string) =>
  queryOptions({ queryKey: ['record', id], queryFn: () => fetchRecord(id), staleTime: cacheMedium })

/** The changes to a record and its answers, newest first. */
export const historyQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['record', id, 'history'],
    queryFn: ({ pageParam: offset, signal }) =>
      call('GET /records/:record_id/history', { params: { record_id: id }, query: { offset }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const loaded = pages.reduce((sum, page) => sum + page.items.length, 0)
      return loaded < total ? loaded : undefined
    },
    gcTime: 0,
  })

/** Restores a record, or an answer to it, to its state before a change. @throws ApiError */
export const restore = (id: string, changeId: string, base_version: number | null | undefined) =>
  call('POST /records/:record_id/history/:change_id/restore', {
    params: { record_id: id, change_id: changeId },
    body: base_version === undefined ? {} : { base_version },
  })
