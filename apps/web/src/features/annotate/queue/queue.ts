import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { StandingAnswer } from '#lib/outbox/types.ts'
import type { RecordFilterStatus } from '#lib/url/grammar.ts'
import type { RecordPage } from '../api.ts'
import type { Ask, Tally } from './window.ts'
import { askFurtherBack, askNext, isLast, left, nextIn, touches } from './window.ts'

export type QueueItem = {
  readonly record: AnnotationRecord
  /** The caller's answer as the server last said; null without one. */
  readonly standing: StandingAnswer | null
}

export type QueueSnapshot = {
  readonly phase: 'loading' | 'ready' | 'failed'
  readonly problem: unknown
  /** The record on the screen; null at the end, or while it is on its way. */
  readonly item: QueueItem | null
  /** The 1-based place of the record in the list. */
  readonly position: number
  /** How many are in the list; null before the first answer. */
  readonly total: number | null
  readonly hasPrevious: boolean
  readonly hasNext: boolean
}

export type Queue = ReturnType<typeof createQueue>

type Options = {
  readonly status: RecordFilterStatus
  /** The 1-based place to begin at. */
  readonly start: number
  /** For a list that is read at once and ends there: how many it may have. null reads page by page. */
  readonly whole?: number | null
  readonly fetchPage: (page: { readonly offset: number; readonly limit: number }) => Promise<RecordPage>
  /** The status that a record's answer has in this browser, whether or not the server knows. */
  readonly statusOf: (item: QueueItem) => RecordFilterStatus
}

const pageSize = 10
/** More is fetched when no more than these lie ahead. */
const ahead = 5
const scanSize = 100
const recounts = 5

const toItem = (record: AnnotationRecord): QueueItem => ({ record, standing: record.responses?.[0] ?? null })

/** The records of one list in the annotator's order, each shown once, none left out. */
export const createQueue = ({ status, start, whole = null, fetchPage, statusOf }: Options) => {
  let items: readonly QueueItem[] = []
  let index = 0
  let before = whole === null ? Math.max(0, start - 1) : 0
  let tally: Tally | null = null
  /** The end of the list was seen, and nothing unseen lies before it. */
  let isExhausted = false
  let problem: unknown = null
  let loading: Promise<void> | null = null
  let confirmations = 0
  const listeners = new Set<() => void>()

  const isIn = (item: QueueItem): boolean => statusOf(item) === status
  const isCounted = ({ standing }: QueueItem): boolean => (standing?.status ?? 'pending') === status
  const isKnown = (id: string): boolean => items.some((item) => item.record.id === id)

  const read = (): QueueSnapshot => {
    const item = items[index] ?? null
    const waits = item === null && !isExhausted
    return {
      phase: problem !== null && waits ? 'failed' : waits ? 'loading' : 'ready',
      problem,
      item,
      position: before + items.slice(0, index).filter(isIn).length + 1,
      total:
        tally &&
        left(
          tally,
          items.map((one) => ({ id: one.record.id, isIn: isIn(one) })),
        ),
      hasPrevious: index > 0 || before > 0,
      hasNext: index < items.length - 1 || (item !== null && !isExhausted),
    }
  }
  let snapshot = read()
  const publish = (): void => {
    snapshot = read()
    for (const listener of listeners) listener()
  }

  const count = (total: number): void => {
    tally = { total, counted: new Set(items.filter(isCounted).map((item) => item.record.id)) }
  }
  const append = (records: readonly AnnotationRecord[]): void => {
    const added = records.filter((record) => !isKnown(record.id)).map(toItem)
    items = [...items, ...added]
    if (tally)
      tally = { ...tally, counted: new Set([...tally.counted, ...added.filter(isCounted).map((item) => item.record.id)]) }
  }

  /** Fetches, and asks again for the count while answers arrive meanwhile: they may be in it or not. */
  const fetchCounted = async (page: { readonly offset: number; readonly limit: number }): Promise<RecordPage> => {
    let seen = confirmations
    const { records, total } = await fetchPage(page)
    let counted = total
    for (let tries = 0; seen !== confirmations && tries < recounts; tries += 1) {
      seen = confirmations
      counted = (await fetchPage({ offset: 0, limit: 1 })).total
    }
    return { records, total: counted }
  }

  let recounting = false
  /** An answer to a record that is not known here was still in the count when the list was read. */
  const recount = async (): Promise<void> => {
    if (recounting || tally === null || whole !== null) return
    recounting = true
    try {
      count((await fetchCounted({ offset: 0, limit: 1 })).total)
      publish()
    } catch {
      // The count comes with the next page.
    } finally {
      recounting = false
    }
  }

  /** Records that came in, or came back, before the place where the list was read. */
  const scanForUnseen = async (total: number): Promise<void> => {
    for (let offset = 0; offset < total; offset += scanSize) {
      if (total <= items.filter(isCounted).length) break
      const { records } = await fetchPage({ offset, limit: scanSize })
      append(records)
      if (records.length === 0) break
    }
    before = 0
    isExhausted = true
  }

  const loadNext = async (): Promise<void> => {
    let ask: Ask = askNext({ before, counted: items.filter(isCounted).length, size: pageSize })
    let page = await fetchCounted(ask)
    while (
      !touches(
        ask,
        page.records.map((record) => record.id),
        isKnown,
      )
    ) {
      ask = askFurtherBack(ask)
      page = await fetchCounted(ask)
    }
    if (items.length === 0 && page.records.length === 0 && before > 0 && page.total > 0) {
      // The page in the address is beyond the end: begin at the first one.
      before = 0
      return loadNext()
    }
    append(page.records)
    count(page.total)
    if (
      isLast(
        ask,
        page.records.map((record) => record.id),
      )
    )
      await scanForUnseen(page.total)
  }

  /** What comes in later is not in a list that was read at once: it counts what it holds. */
  const loadWhole = async (limit: number): Promise<void> => {
    const { records } = await fetchPage({ offset: 0, limit })
    append(records)
    if (tally === null && start <= items.length) index = start - 1
    count(items.filter(isCounted).length)
    isExhausted = true
  }
  const loadMore = (): Promise<void> => (whole === null ? loadNext() : loadWhole(whole))

  const load = (work: () => Promise<void>): Promise<void> => {
    loading ??= work()
      .then(
        () => {
          problem = null
        },
        (error: unknown) => {
          // What was fetched in the background is asked for again when it is needed.
          problem = error
        },
      )
      .finally(() => {
        loading = null
        publish()
      })
    return loading
  }

  const isAhead = (): boolean => items.length - 1 - index > ahead
  const fill = (): void => {
    if (!isExhausted && !isAhead() && loading === null) void load(loadMore)
  }

  const settle = async (): Promise<void> => {
    // A record that was answered and is not sent yet is still in the server's list.
    while (items[index] && !isIn(items[index]!)) index += 1
    if (!items[index] && !isExhausted && problem === null) {
      await load(loadMore)
      if (problem === null) return settle()
    }
    publish()
    if (problem === null) fill()
  }

  const goTo = (next: number): void => {
    index = next
    publish()
    fill()
  }

  /** Shows the record after one that was dealt with; at the end of what is known, waits for more, then goes round. */
  const advance = async (): Promise<void> => {
    const from = index
    const known = nextIn(items.map(isIn), from)
    if (known !== null && (known > from || isExhausted)) return goTo(known)
    if (isExhausted) return goTo(items.length)
    goTo(items.length)
    await load(loadMore)
    if (problem !== null) return
    const found = nextIn(items.map(isIn), from)
    if (found === null && !isExhausted) return advance()
    goTo(found ?? items.length)
  }

  const loadPrevious = async (): Promise<void> => {
    const offset = Math.max(0, before - pageSize)
    const { records } = await fetchPage({ offset, limit: before - offset })
    const added = records.filter((record) => !isKnown(record.id)).map(toItem)
    items = [...added, ...items]
    index += added.length
    before = offset
  }

  return {
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot: (): QueueSnapshot => snapshot,
    /** Fetches the first records. Tries again after a failure, and looks for new ones at the end. */
    open: async (): Promise<void> => {
      if (loading !== null) await loading
      problem = null
      if (!items[index]) isExhausted = false
      publish()
      await settle()
    },
    next: (): void => {
      if (index < items.length - 1) goTo(index + 1)
      else if (!isExhausted) {
        goTo(items.length)
        void settle()
      }
    },
    previous: async (): Promise<void> => {
      if (index === 0 && before > 0) await load(loadPrevious)
      if (index > 0) goTo(index - 1)
    },
    advance,
    /** Goes to a place in the list; false when that one is not known here. */
    goToPosition: (position: number): boolean => {
      const places = items.map((item, at) => ({ at, isIn: isIn(item) })).filter((place) => place.isIn)
      const place = places[position - 1 - before]
      if (place) goTo(place.at)
      return place !== undefined
    },
    /** Shows a record that is known, or that is brought in where the list stands. */
    bring: (record: AnnotationRecord): void => {
      const known = items.findIndex((item) => item.record.id === record.id)
      if (known < 0) items = [...items.slice(0, index), toItem(record), ...items.slice(index)]
      goTo(known < 0 ? index : known)
    },
    find: (recordId: string): QueueItem | null => items.find((item) => item.record.id === recordId) ?? null,
    /** The server has taken an answer. */
    confirm: (recordId: string, standing: StandingAnswer | null): void => {
      confirmations += 1
      if (!isKnown(recordId)) void recount()
      items = items.map((item) => (item.record.id === recordId ? { ...item, standing } : item))
      publish()
    },
    /** Something that `statusOf` looks at has changed. */
    refresh: publish,
  }
}
