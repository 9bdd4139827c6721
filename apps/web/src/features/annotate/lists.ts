import type { EnsureQueryDataOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import { ApiError } from '#lib/api/api-error.ts'
import { whenIdle } from '#lib/net/connection.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import type { AnnotationQuery } from '#lib/url/grammar.ts'
import { searchBody } from './address/search-body.ts'
import { placeOfPage } from './address/view-of.ts'
import type { Annotator } from './annotator.ts'
import type { Ahead, FoundPage, Handed } from './api.ts'
import {
  countAnew,
  firstPageOf,
  firstPageQuery,
  firstRecordsQuery,
  giveBackRecords,
  mostLeases,
  passedOver,
  renewRecords,
  searchRecords,
  takeRecords,
} from './api.ts'
import { toItem } from './queue/item.ts'
import type { LeasedQueue } from './queue/leased-queue.ts'
import { createLeasedQueue, mostExcluded } from './queue/leased-queue.ts'
import type { Queue } from './queue/queue.ts'
import { createQueue } from './queue/queue.ts'

export type List = {
  readonly queue: Queue
  /** The same where its records are handed out. */
  readonly leased: LeasedQueue | null
  /** How long a record is kept once it is handed out, in milliseconds, as the server last said. */
  readonly lifetime: () => number
  /** How similar a record is to the one asked for, 0 to 1; null where none is asked for. */
  readonly similarityOf: (recordId: string) => number | null
  /** Whether what was read last came from this device: how it really is only the server knows. */
  readonly isAtHand: () => boolean
  /** Reads the server's list in the place of this device's. The record on the screen stays. Never rejects. */
  readonly renew: () => Promise<void>
}

type Ground = { readonly queryClient: QueryClient; readonly datasetId: string; readonly annotator: Annotator }

/** Bounds of how long records are believed to be kept, in milliseconds: clocks differ. */
const [shortest, longest] = [15_000, 900_000] as const

/**
 * Takes what was asked for ahead of a list, which is made now. Gives null where nothing was, or where the server has taken answers between: the
 * list has not heard of them, and neither what was asked for nor the counts beside it may have them.
 */
const createTakeAhead = <T, K extends QueryKey>(
  { queryClient, datasetId }: Ground,
  opening: EnsureQueryDataOptions<Ahead<T>, Error, Ahead<T>, K>,
) => {
  const heardFrom = outbox.confirmations()
  return async (): Promise<T | null> => {
    if (!queryClient.getQueryState(opening.queryKey)) return null
    try {
      const ahead = await queryClient.ensureQueryData(opening)
      if (ahead.confirmations >= heardFrom) return ahead
    } finally {
      queryClient.removeQueries({ queryKey: opening.queryKey })
    }
    countAnew(queryClient, datasetId)
    return null
  }
}

type Asked = { readonly limit: number; readonly exclude: readonly string[] }
type Wanted = Pick<Ground, 'datasetId' | 'annotator'> & { readonly asked: Asked }

/** Without the server: of what was taken along. @throws what was thrown, where nothing was */
const handFromDevice = async (error: unknown, { datasetId, annotator, asked }: Wanted): Promise<Handed> => {
  if (!(error instanceof ApiError) || error.status !== 0) throw error
  const atHand = await import('#lib/taken/at-hand.ts').catch(() => null)
  const taken = (await atHand?.recordsAtHand(datasetId)) ?? []
  if (taken.length === 0) throw error
  const open = taken.filter((record) => annotator.statusOf(toItem(record)) === 'pending')
  const records = open.filter(({ id }) => !asked.exclude.includes(id)).slice(0, asked.limit)
  const closed = asked.exclude.filter((id) => open.every((record) => record.id !== id))
  return { records, left: open.length, closed, lifetime: null, isAtHand: true }
}

/** Pending records as the server hands them out. */
export const handedOutList = (ground: Ground): List => {
  const { queryClient, datasetId, annotator } = ground
  const takeAhead = createTakeAhead(ground, firstRecordsQuery(datasetId))
  let lifetime: number = longest
  let isAtHand = false
  /** What was passed over when the list was left: it comes after all else. */
  let behind: readonly string[] | null = null
  const passedBefore = (): readonly string[] => {
    behind ??= passedOver.of(queryClient, datasetId)
    return behind
  }
  const hand = async (asked: Asked, mayBeAhead: boolean): Promise<Handed> => {
    const take = async (): Promise<Handed> => (mayBeAhead ? await takeAhead() : null) ?? takeRecords(datasetId, asked)
    return take().catch((error: unknown) => handFromDevice(error, { datasetId, annotator, asked }))
  }
  const takeBehind = async (asked: Asked): Promise<Handed> => {
    const passed = passedBefore()
    const exclude = [...passed, ...asked.exclude].slice(-mostExcluded)
    const handed = await hand({ ...asked, exclude }, asked.exclude.length === 0)
    const closed = handed.closed.filter((id) => asked.exclude.includes(id))
    if (passed.length === 0 || handed.records.length > 0) return { ...handed, closed }
    behind = []
    return hand(asked, false)
  }
  const queue = createLeasedQueue({
    take: async (asked) => {
      const handed = await takeBehind(asked)
      isAtHand = handed.isAtHand
      if (handed.lifetime !== null) lifetime = Math.min(longest, Math.max(shortest, handed.lifetime))
      return handed
    },
    giveBack: (ids) => void giveBackRecords(datasetId, ids).catch(() => undefined),
    statusOf: annotator.statusOf,
    isEdited: annotator.isEdited,
  })
  const leased: LeasedQueue = {
    ...queue,
    release: () => {
      const passed = queue.release()
      const shown = queue.snapshot().item?.record.id
      return passed && [...passedBefore().filter((id) => id !== shown), ...passed].slice(-mostExcluded)
    },
  }
  const renew = async (): Promise<void> => {
    await queue.renew()
    // They were taken along some time ago: others may have them by now.
    const ids = queue.inHand().slice(-mostLeases)
    if (ids.length > 0) queue.lose(await renewRecords(datasetId, ids).catch(() => []))
  }
  return { queue, leased, lifetime: () => lifetime, similarityOf: () => null, isAtHand: () => isAtHand, renew }
}

/** The records that an address asks for, in the order of the search. */
export const searchList = (ground: Ground, query: AnnotationQuery, size: number): List => {
  const { datasetId, annotator } = ground
  const body = searchBody(query)
  const first = firstPageOf(query)
  const scores = new Map<string, number>()
  let isAtHand = false
  const takeAhead = createTakeAhead(ground, firstPageQuery(datasetId, body, query))
  const find = async (page: { readonly offset: number; readonly limit: number }): Promise<FoundPage> =>
    (page.offset === first.offset ? await takeAhead() : null) ?? searchRecords(datasetId, body, page)
  const queue = createQueue({
    status: query.status,
    start: placeOfPage(query.page),
    whole: query.similarity?.limit ?? null,
    size,
    statusOf: annotator.statusOf,
    // A page shows what became of its records, whatever is to be decided.
    holds: (recordId) => outbox.snapshot().lines.get(recordId)?.trouble != null,
    // The first page is drawn before the next one takes the processor.
    later: (work) => whenIdle(async () => work()),
    fetchPage: async (page) => {
      const found = await find(page)
      isAtHand = found.isAtHand
      for (const [id, score] of found.scores) scores.set(id, score)
      return found
    },
  })
  return {
    queue,
    leased: null,
    lifetime: () => longest,
    similarityOf: (recordId) => scores.get(recordId) ?? null,
    isAtHand: () => isAtHand,
    renew: queue.renew,
  }
}
