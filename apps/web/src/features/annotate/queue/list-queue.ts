import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { ServerAnswer } from '#lib/outbox/types.ts'
import { createConfirmedWhileLoading } from './confirmed-while-loading.ts'
import { createCountedFetch, createSingleFlight } from './counted-fetch.ts'
import { createListCount } from './list-count.ts'
import { createLoader } from './loader.ts'
import { nextPageStart, previousPageStart, shownIndexes } from './page.ts'
import type { QueueItem, QueueOptions, QueueSnapshot } from './queue-item.ts'
import { toItem } from './queue-item.ts'
import { createSnapshotStore } from './snapshot-store.ts'
import type { PageRequest } from './window.ts'
import { earlierPageRequest, isLast, isTruncated, nextOpenIndex, nextPageRequest, overlapsKnown } from './window.ts'

export type Queue = ReturnType<typeof createQueue>

const minPageSize = 10
/** More records are fetched when at most this many are ahead. */
const prefetchAhead = 5
const scanSize = 100
const idsOf = (records: readonly AnnotationRecord[]): readonly string[] => records.map(({ id }) => id)

/** The records of one list in the annotator's order, each shown exactly once. */
export const createQueue = ({
  status,
  start,
  fixedSize = null,
  fetchPage,
  statusOf,
  size = 1,
  keepsOnPage = () => false,
  defer = (work) => work(),
}: QueueOptions) => {
  const pageSize = Math.max(minPageSize, size)
  const isPaged = size > 1
  let items: readonly QueueItem[] = []
  let index = 0
  let before = fixedSize === null ? Math.max(0, start - 1) : 0
  /** The end of the list was reached, and every record before it is known. */
  let isExhausted = false
  /**
   * The end of the list was reached. Records before the start are read when the user goes there or when no other records are
   * left.
   */
  let isEndSeen = false
  let confirmations = 0

  const isIn = (item: QueueItem): boolean => statusOf(item) === status
  const isCounted = ({ serverAnswer }: QueueItem): boolean => (serverAnswer?.status ?? 'pending') === status
  const isKnown = (id: string): boolean => items.some((item) => item.record.id === id)

  const listCount = createListCount({ known: () => items, isIn, isCounted })
  const isShown = (item: QueueItem): boolean => !isPaged || isIn(item) || keepsOnPage(item.record.id)
  const shownFlags = (): readonly boolean[] => items.map(isShown)

  const confirmedWhileLoading = createConfirmedWhileLoading()
  const { load, problem, clearProblem, loading } = createLoader({ onBegin: confirmedWhileLoading.begin, onEnd: () => publish() })

  const read = (): QueueSnapshot => {
    const flags = shownFlags()
    const indexes = shownIndexes(flags, index, size)
    const itemsOnScreen = indexes.flatMap((place) => items[place] ?? [])
    const item = itemsOnScreen[0] ?? null
    const next = nextPageStart(flags, index, size)
    const isWaiting = item === null && (!isExhausted || (isPaged && before > 0))
    return {
      phase: problem() !== null && isWaiting ? 'failed' : isWaiting ? 'loading' : 'ready',
      problem: problem(),
      item,
      items: itemsOnScreen,
      position: before + items.slice(0, index).filter(isIn).length + 1,
      total: listCount.left(),
      hasPrevious: before > 0 || flags.slice(0, index).includes(true),
      hasNext: next !== null || (item !== null && !isExhausted && !isEndSeen),
    }
  }
  const { subscribe, snapshot, publish } = createSnapshotStore(read)

  const unseen = (records: readonly AnnotationRecord[]): readonly QueueItem[] =>
    records.filter((record) => !isKnown(record.id)).map((record) => confirmedWhileLoading.apply(toItem(record)))
  const updatedBy = (record: AnnotationRecord) => (item: QueueItem) =>
    item.record.id === record.id ? confirmedWhileLoading.apply(toItem(record)) : item
  /** Inserts records at the end, or before the current record. @returns how many of them were new */
  const insert = (at: number, records: readonly AnnotationRecord[]): number => {
    for (const record of records) if (listCount.confirmFromServer(record.id)) items = items.map(updatedBy(record))
    const added = unseen(records)
    if (at < items.length) index += added.length
    items = [...items.slice(0, at), ...added, ...items.slice(at)]
    listCount.countIn(added)
    return added.length
  }
  const append = (records: readonly AnnotationRecord[]): number => insert(items.length, records)
  const fetchCounted = createCountedFetch(fetchPage, () => confirmations)

  const refetchCount = createSingleFlight(async () => {
    listCount.count((await fetchCounted({ offset: 0, limit: 1 })).total)
    publish()
  })
  /**
   * The count may be too high: an answer to an unknown record was not yet confirmed when the list was read. Others may have
   * been answered too.
   */
  const recount = (): void => {
    if (listCount.hasCount() && fixedSize === null) refetchCount()
  }

  /** Reads the records before the position where the list was first read, in order, and those added or returned since. */
  const scanForUnseen = async (total: number): Promise<void> => {
    let inFront = 0
    let isInFront = before > 0
    for (let offset = 0; offset < total; offset += scanSize) {
      if (total <= listCount.placed()) break
      const { records } = await fetchPage({ offset, limit: scanSize })
      const known = records.findIndex(({ id }) => listCount.isPlaced(id))
      const others = !isInFront ? 0 : known < 0 ? records.length : known
      inFront += insert(inFront, records.slice(0, others))
      append(records.slice(others))
      isInFront &&= known < 0
      if (records.length === 0) break
    }
    before = 0
    isExhausted = true
  }

  const loadNext = async (requested = pageSize): Promise<void> => {
    let request: PageRequest = nextPageRequest({ before, counted: listCount.placed(), size: requested })
    let page = await fetchCounted(request)
    while (!overlapsKnown(request, idsOf(page.records), listCount.isPlaced)) {
      request = earlierPageRequest(request)
      page = await fetchCounted(request)
    }
    if (items.length === 0 && page.records.length === 0 && before > 0 && page.total > 0) {
      // The page in the URL is beyond the end, so the list starts at the first page.
      before = 0
      return loadNext()
    }
    const added = append(page.records)
    listCount.count(page.total)
    const ids = idsOf(page.records)
    if (!isLast(request, ids) && added > 0 && isTruncated(request, requested - added)) return loadNext(requested - added)
    // The pages before the first one are loaded in place when the user goes there.
    if (isLast(request, ids) && isPaged && before > 0) isExhausted = true
    else if (isLast(request, ids) && before > 0 && items.slice(index).some(isIn)) isEndSeen = true
    else if (isLast(request, ids)) await scanForUnseen(page.total)
  }

  /**
   * A list that is read in one request doesn't change when records are added, so its length is the number of records it
   * contains.
   */
  const loadFixedList = async (limit: number): Promise<void> => {
    const { records } = await fetchPage({ offset: 0, limit })
    append(records)
    if (!listCount.hasCount() && start <= items.length) index = start - 1
    listCount.count(items.filter(isCounted).length)
    isExhausted = true
  }
  const loadMore = (): Promise<void> => (fixedSize === null ? loadNext() : loadFixedList(fixedSize))

  const isFull = (pages: number): boolean => shownIndexes(shownFlags(), index, size * pages).length === size * pages
  const hasEnoughAhead = (): boolean => (isPaged ? isFull(2) : items.length - 1 - index > prefetchAhead)
  const prefetchMore = (): void => {
    if (!isExhausted && !isEndSeen && !hasEnoughAhead() && loading() === null) void load(loadMore)
  }

  const loadPrevious = async (): Promise<void> => {
    const offset = Math.max(0, before - pageSize)
    const { records } = await fetchPage({ offset, limit: before - offset })
    insert(0, records)
    before = offset
  }

  /** Whether there is a previous page to go to. */
  const hasEarlierItems = (): boolean => before > 0 || items.some(isShown)

  const showNextOpen = async (): Promise<void> => {
    // An answered record is still in the server's list until its answer is sent. A page keeps its start, because records that
    // leave it may return with a rejected answer.
    while (!isPaged && items[index] && !isIn(items[index]!)) index += 1
    if (!isFull(1) && !isExhausted && problem() === null) {
      await load(loadMore)
      if (problem() === null) return showNextOpen()
    }
    if (isPaged && problem() === null && isExhausted && hasEarlierItems() && shownIndexes(shownFlags(), index, 1).length === 0) {
      if (before > 0) await load(loadPrevious)
      index = previousPageStart(shownFlags(), index, size)
      return showNextOpen()
    }
    publish()
    if (problem() === null) defer(prefetchMore)
  }

  const goTo = (next: number): void => {
    index = next
    publish()
    if (isPaged) clearProblem()
    if (isPaged) void showNextOpen()
    else prefetchMore()
  }

  /**
   * Shows the record after a completed one. At the end of the known records, waits for more, then returns to the skipped ones.
   */
  const advance = async (): Promise<void> => {
    const from = index
    const known = nextOpenIndex(items.map(isIn), from)
    if (known !== null && (known > from || isExhausted)) return goTo(known)
    if (isExhausted) return goTo(items.length)
    const id = items[from]?.record.id
    goTo(items.length)
    await load(loadMore)
    if (problem() !== null) return
    // Records were inserted before it, so its position has changed.
    const found = nextOpenIndex(items.map(isIn), id === undefined ? from : items.findIndex(({ record }) => record.id === id))
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
    /** Loads the first records. Retries after a failure, and looks for new records at the end. */
    open: async (): Promise<void> => {
      if (loading() !== null) await loading()
      clearProblem()
      if (!items[index]) isExhausted = false
      publish()
      await showNextOpen()
    },
    /** Replaces records from this device with the server's list. The records on the screen and those before them stay. */
    renew: async (): Promise<void> => {
      if (loading() !== null) await loading()
      items = items.slice(0, (shownIndexes(shownFlags(), index, size).at(-1) ?? index - 1) + 1)
      listCount.markDeviceOnly()
      isExhausted = false
      isEndSeen = false
      clearProblem()
      publish()
      const keepsCurrent = !isPaged && index < items.length
      await load(loadMore)
      if (keepsCurrent) goTo(index)
      else await showNextOpen()
    },
    next: (): void => {
      const next = nextPageStart(shownFlags(), index, size)
      if (next !== null) goTo(next)
      else if (!isExhausted && !isEndSeen) {
        goTo(items.length)
        void showNextOpen()
      }
    },
    previous: async (): Promise<void> => {
      if (before > 0 && shownIndexes(shownFlags().slice(0, index), 0, size).length < size) await load(loadPrevious)
      if (index > 0) goTo(previousPageStart(shownFlags(), index, size))
    },
    advance,
    /** Fills the page after records have left it. If none are left from here on, goes to the previous page. */
    refill: async (): Promise<void> => {
      clearProblem()
      publish()
      await showNextOpen()
    },
    /** Goes to a position in the list. Returns false if the record there is not known. */
    goToPosition: (position: number): boolean => {
      const indexes = items.map((item, at) => ({ at, isIn: isIn(item) })).filter((place) => place.isIn)
      const place = indexes[position - 1 - before]
      if (place) goTo(place.at)
      return place !== undefined
    },
    /** Shows a record. An unknown one is inserted at the current position. */
    insertAndShow: (record: AnnotationRecord): void => {
      const known = items.findIndex((item) => item.record.id === record.id)
      if (known < 0) items = [...items.slice(0, index), toItem(record), ...items.slice(index)]
      goTo(known < 0 ? index : known)
    },
    find: (recordId: string): QueueItem | null => items.find((item) => item.record.id === recordId) ?? null,
    /** Called when the server has confirmed an answer. */
    confirm: (recordId: string, serverAnswer: ServerAnswer | null): void => {
      confirmations += 1
      confirmedWhileLoading.note(recordId, serverAnswer)
      if (listCount.settle(recordId) || !isKnown(recordId)) recount()
      replace(recordId, { serverAnswer })
    },
    update: (record: AnnotationRecord): void => replace(record.id, { record }),
    /** Called when the record was deleted. The next one takes its place. */
    remove: (recordId: string): void => {
      const at = items.findIndex((item) => item.record.id === recordId)
      if (at < 0) return
      const isCurrent = at === index
      items = items.filter((_, place) => place !== at)
      listCount.drop(recordId)
      if (at < index) index -= 1
      if (isCurrent && !isPaged) index = nextOpenIndex(items.map(isIn), at - 1) ?? items.length
      publish()
      if (isCurrent || isPaged) void showNextOpen()
      recount()
    },
    /** Called when the result of `statusOf` may have changed. */
    refresh: publish,
  }
}
