import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { StandingAnswer } from '#lib/outbox/types.ts'
import { createCountedFetch, createOneAtATime } from './counted-fetch.ts'
import type { QueueItem, QueueOptions, QueueSnapshot } from './item.ts'
import { toItem } from './item.ts'
import { createLoader } from './loader.ts'
import { createMeanwhile } from './meanwhile.ts'
import { pageAfter, pageBefore, placesFrom } from './page.ts'
import { createPublished } from './published.ts'
import { createTally } from './tally.ts'
import type { Ask } from './window.ts'
import { askFurtherBack, askNext, isCut, isLast, nextIn, touches } from './window.ts'

export type Queue = ReturnType<typeof createQueue>

const leastPage = 10
/** More is fetched when no more than these lie ahead. */
const ahead = 5
const scanSize = 100

/** The records of one list in the annotator's order, each shown once, none left out. */
export const createQueue = ({
  status,
  start,
  whole = null,
  fetchPage,
  statusOf,
  size = 1,
  holds = () => false,
  later = (work) => work(),
}: QueueOptions) => {
  const pageSize = Math.max(leastPage, size)
  const isPaged = size > 1
  let items: readonly QueueItem[] = []
  let index = 0
  let before = whole === null ? Math.max(0, start - 1) : 0
  /** The end of the list was seen, and nothing unseen lies before it. */
  let isExhausted = false
  /** The end of the list was seen; what lies before is read when one gets there, or when nothing else is left. */
  let isEndSeen = false
  let confirmations = 0

  const isIn = (item: QueueItem): boolean => statusOf(item) === status
  const isCounted = ({ standing }: QueueItem): boolean => (standing?.status ?? 'pending') === status
  const isKnown = (id: string): boolean => items.some((item) => item.record.id === id)

  const tally = createTally({ known: () => items, isIn, isCounted })
  const isShown = (item: QueueItem): boolean => !isPaged || isIn(item) || holds(item.record.id)
  const shownFlags = (): readonly boolean[] => items.map(isShown)

  const meanwhile = createMeanwhile()
  const { load, problem, forget, loading } = createLoader({ onBegin: meanwhile.begin, onEnd: () => publish() })

  const read = (): QueueSnapshot => {
    const flags = shownFlags()
    const places = placesFrom(flags, index, size)
    const onScreen = places.flatMap((place) => items[place] ?? [])
    const item = onScreen[0] ?? null
    const next = pageAfter(flags, index, size)
    const waits = item === null && (!isExhausted || (isPaged && before > 0))
    return {
      phase: problem() !== null && waits ? 'failed' : waits ? 'loading' : 'ready',
      problem: problem(),
      item,
      items: onScreen,
      position: before + items.slice(0, index).filter(isIn).length + 1,
      total: tally.left(),
      hasPrevious: before > 0 || flags.slice(0, index).includes(true),
      hasNext: next !== null || (item !== null && !isExhausted && !isEndSeen),
    }
  }
  const { subscribe, snapshot, publish } = createPublished(read)

  const unseen = (records: readonly AnnotationRecord[]): readonly QueueItem[] =>
    records.filter((record) => !isKnown(record.id)).map((record) => meanwhile.over(toItem(record)))
  const toldBy = (record: AnnotationRecord) => (item: QueueItem) =>
    item.record.id === record.id ? meanwhile.over(toItem(record)) : item
  /** At the end, or in front of the record that one is at. @returns how many of them were not known */
  const insert = (at: number, records: readonly AnnotationRecord[]): number => {
    for (const record of records) if (tally.tell(record.id)) items = items.map(toldBy(record))
    const added = unseen(records)
    if (at < items.length) index += added.length
    items = [...items.slice(0, at), ...added, ...items.slice(at)]
    tally.countIn(added)
    return added.length
  }
  const append = (records: readonly AnnotationRecord[]): number => insert(items.length, records)
  const fetchCounted = createCountedFetch(fetchPage, () => confirmations)

  const countAnew = createOneAtATime(async () => {
    tally.count((await fetchCounted({ offset: 0, limit: 1 })).total)
    publish()
  })
  /** An answer to a record that is not known here was still in the count when the list was read; others may have been. */
  const recount = (): void => {
    if (tally.isThere() && whole === null) countAnew()
  }

  /** Records before the place where the list was first read, which keep their order, and those that came in, or came back, since. */
  const scanForUnseen = async (total: number): Promise<void> => {
    let inFront = 0
    let isInFront = before > 0
    for (let offset = 0; offset < total; offset += scanSize) {
      if (total <= tally.placed()) break
      const { records } = await fetchPage({ offset, limit: scanSize })
      const known = records.findIndex(({ id }) => tally.isPlaced(id))
      const others = !isInFront ? 0 : known < 0 ? records.length : known
      inFront += insert(inFront, records.slice(0, others))
      append(records.slice(others))
      isInFront &&= known < 0
      if (records.length === 0) break
    }
    before = 0
    isExhausted = true
  }

  const loadNext = async (wanted = pageSize): Promise<void> => {
    let ask: Ask = askNext({ before, counted: tally.placed(), size: wanted })
    let page = await fetchCounted(ask)
    while (
      !touches(
        ask,
        page.records.map((record) => record.id),
        tally.isPlaced,
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
    const added = append(page.records)
    tally.count(page.total)
    const ids = page.records.map((record) => record.id)
    if (!isLast(ask, ids) && added > 0 && isCut(ask, wanted - added)) return loadNext(wanted - added)
    // The pages before the first one are read when they are asked for, in their place.
    if (isLast(ask, ids) && isPaged && before > 0) isExhausted = true
    else if (isLast(ask, ids) && before > 0 && items.slice(index).some(isIn)) isEndSeen = true
    else if (isLast(ask, ids)) await scanForUnseen(page.total)
  }

  /** What comes in later is not in a list that was read at once: it counts what it holds. */
  const loadWhole = async (limit: number): Promise<void> => {
    const { records } = await fetchPage({ offset: 0, limit })
    append(records)
    if (!tally.isThere() && start <= items.length) index = start - 1
    tally.count(items.filter(isCounted).length)
    isExhausted = true
  }
  const loadMore = (): Promise<void> => (whole === null ? loadNext() : loadWhole(whole))

  const isFull = (pages: number): boolean => placesFrom(shownFlags(), index, size * pages).length === size * pages
  const isAhead = (): boolean => (isPaged ? isFull(2) : items.length - 1 - index > ahead)
  const fill = (): void => {
    if (!isExhausted && !isEndSeen && !isAhead() && loading() === null) void load(loadMore)
  }

  const loadPrevious = async (): Promise<void> => {
    const offset = Math.max(0, before - pageSize)
    const { records } = await fetchPage({ offset, limit: before - offset })
    insert(0, records)
    before = offset
  }

  /** Whether a page has anything before it to give way to. */
  const hasLeft = (): boolean => before > 0 || items.some(isShown)

  const settle = async (): Promise<void> => {
    // A record that was answered and is not sent yet is still in the server's list.
    // A page stays where it begins: what it is left by may come back, refused.
    while (!isPaged && items[index] && !isIn(items[index]!)) index += 1
    if (!isFull(1) && !isExhausted && problem() === null) {
      await load(loadMore)
      if (problem() === null) return settle()
    }
    if (isPaged && problem() === null && isExhausted && hasLeft() && placesFrom(shownFlags(), index, 1).length === 0) {
      if (before > 0) await load(loadPrevious)
      index = pageBefore(shownFlags(), index, size)
      return settle()
    }
    publish()
    if (problem() === null) later(fill)
  }

  const goTo = (next: number): void => {
    index = next
    publish()
    if (isPaged) forget()
    if (isPaged) void settle()
    else fill()
  }

  /** Shows the record after one that was dealt with; at the end of what is known, waits for more, then goes round. */
  const advance = async (): Promise<void> => {
    const from = index
    const known = nextIn(items.map(isIn), from)
    if (known !== null && (known > from || isExhausted)) return goTo(known)
    if (isExhausted) return goTo(items.length)
    const id = items[from]?.record.id
    goTo(items.length)
    await load(loadMore)
    if (problem() !== null) return
    // What was read in front of it has moved it.
    const found = nextIn(items.map(isIn), id === undefined ? from : items.findIndex(({ record }) => record.id === id))
    if (found === null && !isExhausted) return advance()
    goTo(found ?? items.length)
  }

  const replace = (recordId: string, part: Partial<QueueItem>): void => {
    items = items.map((item) => (item.record.id === recordId ? { ...item, ...part } : item))
    publish()
  }

  return {
    subscribe,
    snapshot,
    /** Fetches the first records. Tries again after a failure, and looks for new ones at the end. */
    open: async (): Promise<void> => {
      if (loading() !== null) await loading()
      forget()
      if (!items[index]) isExhausted = false
      publish()
      await settle()
    },
    /** What is known came from this device: reads the server's list. What is on the screen stays, and what lies before it. */
    renew: async (): Promise<void> => {
      if (loading() !== null) await loading()
      items = items.slice(0, (placesFrom(shownFlags(), index, size).at(-1) ?? index - 1) + 1)
      tally.doubt()
      isExhausted = false
      isEndSeen = false
      forget()
      publish()
      const stays = !isPaged && index < items.length
      await load(loadMore)
      if (stays) goTo(index)
      else await settle()
    },
    next: (): void => {
      const next = pageAfter(shownFlags(), index, size)
      if (next !== null) goTo(next)
      else if (!isExhausted && !isEndSeen) {
        goTo(items.length)
        void settle()
      }
    },
    previous: async (): Promise<void> => {
      if (before > 0 && placesFrom(shownFlags().slice(0, index), 0, size).length < size) await load(loadPrevious)
      if (index > 0) goTo(pageBefore(shownFlags(), index, size))
    },
    advance,
    /** Fills the page after records have left it; where nothing is left from here on, goes to the page before. */
    refill: async (): Promise<void> => {
      forget()
      publish()
      await settle()
    },
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
      meanwhile.note(recordId, standing)
      if (tally.settle(recordId) || !isKnown(recordId)) recount()
      replace(recordId, { standing })
    },
    /** The record itself was changed. */
    update: (record: AnnotationRecord): void => replace(record.id, { record }),
    /** The record is gone: what comes after it takes its place. */
    remove: (recordId: string): void => {
      const at = items.findIndex((item) => item.record.id === recordId)
      if (at < 0) return
      const isCurrent = at === index
      items = items.filter((_, place) => place !== at)
      tally.drop(recordId)
      if (at < index) index -= 1
      if (isCurrent && !isPaged) index = nextIn(items.map(isIn), at - 1) ?? items.length
      publish()
      if (isCurrent || isPaged) void settle()
      recount()
    },
    /** Something that `statusOf` looks at has changed. */
    refresh: publish,
  }
}
