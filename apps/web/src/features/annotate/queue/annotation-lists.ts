import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import { searchBody } from '@postil/contract/annotation-query/search-body.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { EnsureQueryDataOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import { signedInUser } from '#features/auth/public.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { queueSettingsQuery } from '#lib/api/dataset-queries.ts'
import { whenIdle } from '#lib/net/connection.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import { toastProblem } from '#ui/feedback/toast.ts'
import { startOfPage } from '../address/page.ts'
import type { Annotator } from '../answering/annotator.ts'
import type { FoundPage, LeasedRecords, Prefetched } from '../api.ts'
import {
  deferredAt,
  fetchOwnRecords,
  firstPageOf,
  firstPageQuery,
  firstRecordsQuery,
  leaseRecords,
  recheckDataset,
  refetchCounts,
  releaseRecords,
  renewRecords,
  searchRecords,
} from '../api.ts'
import { EarlierRecords } from './earlier-records.ts'
import { maxLeasesPerRequest } from './lease-limit.ts'
import { LeasedList, maxExcluded } from './leased-list.ts'
import type { LeaseRequest } from './leased-list-options.ts'
import { queueStatus, toItem } from './list-item.ts'
import { takeQueueStart } from './queue-start.ts'
import type { RecordList } from './record-list.ts'
import { SearchList } from './search-list.ts'
import { withoutViewedElsewhere } from './viewed-records.ts'

/** The list of records on the annotation screen. */
export type AnnotationList = {
  readonly records: RecordList
  /** The list in `records` if its records are leased, otherwise null. */
  readonly leased: LeasedList | null
  /** How long a lease lasts, in milliseconds, as the server last reported. */
  readonly lifetime: () => number
  /** The similarity of a record to the reference record, 0 to 1. Null if there is no reference record. */
  readonly similarityOf: (recordId: string) => number | null
  /** Whether the last result came from this device and may differ from the server. */
  readonly isFromDevice: () => boolean
  /** Replaces the list from this device with the server's list. The record on the screen is kept. Never rejects. */
  readonly renew: () => Promise<void>
}

type ListContext = { readonly queryClient: QueryClient; readonly datasetId: string; readonly annotator: Annotator }

/**
 * Limits for the calculated duration of a lease, in milliseconds. The calculation can be wrong, because the server's clock may
 * differ from this device's clock.
 */
const [minLifetime, maxLifetime] = [15_000, 900_000] as const

/**
 * Returns a function that reads what was prefetched for a list that is being created. The function returns null if nothing was
 * prefetched. It also returns null if the server confirmed answers between the prefetch and the list's creation. The list has
 * missed these confirmations, and the prefetched data and counts may not include the answers.
 */
const createPrefetchReader = <T, K extends QueryKey>(
  { queryClient, datasetId }: ListContext,
  prefetchQuery: EnsureQueryDataOptions<Prefetched<T>, Error, Prefetched<T>, K>,
) => {
  const confirmationsAtStart = outbox.confirmations()
  return async (): Promise<T | null> => {
    if (!queryClient.getQueryState(prefetchQuery.queryKey)) return null
    try {
      const prefetched = await queryClient.ensureQueryData(prefetchQuery)
      if (prefetched.confirmations >= confirmationsAtStart) return prefetched
    } finally {
      queryClient.removeQueries({ queryKey: prefetchQuery.queryKey })
    }
    refetchCounts(queryClient, datasetId)
    return null
  }
}

type OfflineLeaseInput = Pick<ListContext, 'datasetId' | 'annotator'> & { readonly request: LeaseRequest }

/**
 * If the server is unreachable, returns records saved for offline use.
 * @throws the original error if the server is reachable or no records are saved
 */
const leaseFromDevice = async (error: unknown, { datasetId, annotator, request }: OfflineLeaseInput): Promise<LeasedRecords> => {
  if (!(error instanceof ApiError) || error.status !== 0) throw error
  const offline = await import('#lib/offline/offline-responses.ts').catch(() => null)
  const saved = (await offline?.offlineRecords(datasetId)) ?? []
  if (saved.length === 0) throw error
  const open = saved.filter((record) => {
    const item = toItem(record)
    return queueStatus(item.serverAnswer, annotator.statusOf(item)) === 'pending'
  })
  const records = open.filter(({ id }) => !request.exclude.includes(id)).slice(0, request.limit)
  const closed = request.exclude.filter((id) => open.every((record) => record.id !== id))
  return { records, left: open.length, closed, lifetime: null, leased: records.map(({ id }) => id), isFromDevice: true }
}

/**
 * If the server is unreachable, returns the records from this device.
 * @throws the original error if the server responded, or if this device doesn't have all of the records
 */
const recordsFromDevice = async (
  error: unknown,
  datasetId: string,
  ids: readonly string[],
): Promise<readonly AnnotationRecord[]> => {
  if (!(error instanceof ApiError) || error.status !== 0) throw error
  const offline = await import('#lib/offline/offline-responses.ts').catch(() => null)
  const saved = ((await offline?.offlineRecords(datasetId)) ?? []).filter(({ id }) => ids.includes(id))
  // Some records aren't on this device, but the server may have them.
  if (saved.length < ids.length) throw error
  return saved
}

/** Pending records, in the order in which the server assigns them. */
export const createQueueList = (context: ListContext, query: AnnotationQuery): AnnotationList => {
  const { queryClient, datasetId, annotator } = context
  const start = startOfPage(query.page)
  const takePrefetched = createPrefetchReader(context, firstRecordsQuery(datasetId, start))
  const { earlier, current, position } = takeQueueStart(queryClient, { datasetId, position: start })
  const user = signedInUser(queryClient)
  let lifetime: number = maxLifetime
  let isFromDevice = false
  /** The IDs of records that were loaded from this device and whose leases the server hasn't renewed yet. */
  const fromDevice = new Set<string>()
  /**
   * IDs of records that come last: records that the user has skipped, and records that the user saw before the start position.
   * Null until they are first needed.
   */
  let deferred: readonly string[] | null = null
  const skippedBefore = (): readonly string[] => {
    deferred ??= deferredAt(queryClient, datasetId, position).filter((id) => id !== current)
    return deferred
  }
  const lease = async (request: LeaseRequest, mayBePrefetched: boolean): Promise<LeasedRecords> => {
    const take = async (): Promise<LeasedRecords> =>
      (mayBePrefetched ? await takePrefetched() : null) ?? leaseRecords(datasetId, request)
    return take().catch((error: unknown) => leaseFromDevice(error, { datasetId, annotator, request }))
  }
  const leaseUnskipped = async (request: LeaseRequest): Promise<LeasedRecords> => {
    const skipped = skippedBefore()
    const exclude = [...skipped, ...request.exclude].slice(-maxExcluded)
    const leasedRecords = await lease({ ...request, exclude }, request.exclude.length === 0)
    const closed = leasedRecords.closed.filter((id) => request.exclude.includes(id))
    if (skipped.length === 0 || leasedRecords.records.length > 0) return { ...leasedRecords, closed }
    deferred = []
    return lease(request, false)
  }
  const leased = new LeasedList({
    lease: async (request) => {
      const leasedRecords = await leaseUnskipped(request)
      isFromDevice = leasedRecords.isFromDevice
      if (isFromDevice) for (const id of leasedRecords.leased) fromDevice.add(id)
      if (leasedRecords.lifetime !== null) lifetime = Math.min(maxLifetime, Math.max(minLifetime, leasedRecords.lifetime))
      return leasedRecords
    },
    acquire: async (id) => (await renewRecords(datasetId, [id], { purpose: 'work', acquire: true })).length === 0,
    acquireView: async (id) => {
      const lost = await renewRecords(datasetId, [id], { purpose: 'view', acquire: true })
      if (lost.length === 0) return 'leased'
      // Owners and admins view records without leases. If records are assigned only to named users, annotators also view them
      // without leases, because then only the queue leases records.
      const isFree = user?.role !== 'annotator' || (await queryClient.ensureQueryData(queueSettingsQuery(datasetId))).assigned
      return isFree ? 'free' : 'held'
    },
    releaseRecords: (ids, purpose) => {
      const released = user === null ? ids : withoutViewedElsewhere(user.id, datasetId, ids)
      if (released.length > 0) void releaseRecords(datasetId, released, purpose).catch(() => undefined)
    },
    statusOf: annotator.statusOf,
    isEdited: annotator.isEdited,
    skippedBefore,
    earlier: new EarlierRecords({
      earlier,
      current,
      fetchRecords: (ids) => fetchOwnRecords(datasetId, ids).catch((error) => recordsFromDevice(error, datasetId, ids)),
      onFailed: (error) => {
        toastProblem(error)
        recheckDataset(queryClient, datasetId, error)
      },
    }),
  })
  const renew = async (): Promise<void> => {
    await leased.renew()
    // Records that are loaded from this device were leased when they were stored on it. Their leases may have expired since then,
    // and other users may now have the records.
    const ids = leased
      .leasedIds()
      .filter((id) => fromDevice.has(id))
      .slice(-maxLeasesPerRequest)
    const lost =
      ids.length === 0 ? null : await renewRecords(datasetId, ids, { purpose: 'work', acquire: false }).catch(() => null)
    if (lost === null) return
    for (const id of ids) fromDevice.delete(id)
    leased.removeLost(lost)
  }
  return {
    records: leased,
    leased,
    lifetime: () => lifetime,
    similarityOf: () => null,
    isFromDevice: () => isFromDevice,
    renew,
  }
}

/** The records of a search, in search order. */
export const createSearchList = (context: ListContext, query: AnnotationQuery, size: number): AnnotationList => {
  const { datasetId, annotator } = context
  const body = searchBody(query)
  const first = firstPageOf(query)
  const scores = new Map<string, number>()
  let isFromDevice = false
  const takePrefetched = createPrefetchReader(context, firstPageQuery(datasetId, body, query))
  const find = async (page: { readonly offset: number; readonly limit: number }): Promise<FoundPage> =>
    (page.offset === first.offset ? await takePrefetched() : null) ?? searchRecords(datasetId, body, page)
  const records = new SearchList({
    status: query.status,
    start: startOfPage(query.page),
    fixedSize: query.similarity?.limit ?? null,
    size,
    statusOf: annotator.statusOf,
    // A record stays on its page while the user has to decide about its answer.
    keepsOnPage: (recordId) => outbox.snapshot().lines.get(recordId)?.issue != null,
    // Defers work until the browser is idle, so that the first page is rendered before the next page uses the CPU.
    defer: (work) => whenIdle(async () => work()),
    fetchPage: async (page) => {
      const found = await find(page)
      isFromDevice = found.isFromDevice
      for (const [id, score] of found.scores) scores.set(id, score)
      return found
    },
  })
  return {
    records,
    leased: null,
    lifetime: () => maxLifetime,
    similarityOf: (recordId) => scores.get(recordId) ?? null,
    isFromDevice: () => isFromDevice,
    renew: () => records.renew(),
  }
}
