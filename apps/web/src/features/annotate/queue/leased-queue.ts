import type { ServerAnswer } from '#lib/outbox/types.ts'
import { createConfirmedWhileLoading } from './confirmed-while-loading.ts'
import { createCountStaleness } from './count-staleness.ts'
import { createLeaseLimit } from './lease-limit.ts'
import type { Queue } from './list-queue.ts'
import { createLoader } from './loader.ts'
import type { LeaseBatch, QueueItem, QueueOptions, QueueSnapshot } from './queue-item.ts'
import { toItem } from './queue-item.ts'
import { createSnapshotStore } from './snapshot-store.ts'
import type { ServerCount } from './window.ts'
import { nextOpenIndex, remainingCount, withoutRecord } from './window.ts'

export type LeasedQueueOptions = Pick<QueueOptions, 'statusOf'> & {
  /** Leases more records to this user. */
  readonly lease: (request: { readonly limit: number; readonly exclude: readonly string[] }) => Promise<LeaseBatch>
  /** Releases leases. Never rejects. */
  readonly releaseRecords: (recordIds: readonly string[]) => void
  /** Edited records keep their leases when they are skipped. */
  readonly isEdited: (recordId: string) => boolean
}

export type LeasedQueue = Queue & {
  /** The records leased to this user, as far as this list knows. */
  readonly leasedIds: () => readonly string[]
  /** Removes records that someone else now holds. */
  readonly removeLost: (recordIds: readonly string[]) => void
  /** Called when the list is on the screen. */
  readonly activate: () => void
  /**
   * Called when the list has left the screen. Releases the leases of all records without edits, including records that are
   * still loading. @returns the skipped records, or null at the end
   */
  readonly release: () => readonly string[] | null
}

export const maxExcluded = 1000
/** How many times to retry if others have taken all records that were found. */
const maxTries = 3

/** Pending records that the server leases to users. Each is leased to only as many people as it needs answers from. */
export const createLeasedQueue = ({ lease, releaseRecords, statusOf, isEdited }: LeasedQueueOptions): LeasedQueue => {
  let items: readonly QueueItem[] = []
  let index = 0
  let tally: ServerCount | null = null
  let isExhausted = false
  let isReleased = false
  const leasedIds = new Set<string>()
  const leaseLimit = createLeaseLimit()

  const isIn = (item: QueueItem): boolean => statusOf(item) === 'pending'
  const isCounted = ({ serverAnswer }: QueueItem): boolean => serverAnswer === null
  const isKnown = (id: string): boolean => items.some((item) => item.record.id === id)

  const confirmedWhileLoading = createConfirmedWhileLoading()
  const countStaleness = createCountStaleness()
  const { load, problem, clearProblem, loading } = createLoader({
    onBegin: () => {
      confirmedWhileLoading.begin()
      countStaleness.begin()
    },
    onEnd: () => {
      publish()
      if (problem() !== null) countStaleness.fail()
      else if (countStaleness.isStale()) recount()
    },
  })
  const recount = (): void => {
    countStaleness.markStale()
    if (loading() === null && !isExhausted) void load(loadMore)
  }

  const read = (): QueueSnapshot => {
    const item = items[index] ?? null
    const isWaiting = item === null && !isExhausted
    return {
      phase: problem() !== null && isWaiting ? 'failed' : isWaiting ? 'loading' : 'ready',
      problem: problem(),
      item,
      items: item ? [item] : [],
      position: index + 1,
      total:
        tally &&
        remainingCount(
          tally,
          items.map((queued) => ({ id: queued.record.id, isIn: isIn(queued) })),
        ),
      hasPrevious: index > 0,
      hasNext: index + 1 < items.length || (item !== null && !isExhausted),
    }
  }
  const { subscribe, snapshot, publish } = createSnapshotStore(read)

  /** Returns known records that the server may still assign. */
  const countedItems = (): readonly QueueItem[] => items.filter(isCounted)
  const recordIdsOf = (queueItems: readonly QueueItem[]): readonly string[] => queueItems.map(({ record }) => record.id)

  const leasedAhead = (): number => items.slice(index).filter(isIn).length

  type CountedBatch = LeaseBatch & Pick<ServerCount, 'counted'>
  /**
   * Notes which records are known before the request. Answers can be confirmed while it is in flight, and only the server knows
   * which records its count includes.
   */
  const leaseCounted = async (known: readonly QueueItem[]): Promise<CountedBatch> => {
    const before = recordIdsOf(countedItems())
    const batch = await lease({ limit: leaseLimit.limit(leasedAhead()), exclude: recordIdsOf(known).slice(-maxExcluded) })
    const closed = new Set(batch.closed)
    const ids = [...before.filter((id) => !closed.has(id)), ...batch.records.map(({ id }) => id)]
    return { ...batch, counted: new Set(ids) }
  }
  const releaseLeases = (ids: readonly string[]): void => {
    const released = ids.filter((id) => leasedIds.delete(id))
    if (released.length > 0) releaseRecords(released)
  }
  const addBatch = ({ records, left: total, counted, ...from }: CountedBatch): void => {
    for (const { id } of records) leasedIds.add(id)
    if (isReleased) release()
    leaseLimit.update({ left: total, ...from })
    const maxNew = leaseLimit.limit(leasedAhead())
    const newRecords = records.filter(({ id }) => !isKnown(id))
    const unseen = newRecords.filter(({ id }, at) => at < maxNew || isEdited(id))
    releaseLeases(newRecords.filter((record) => !unseen.includes(record)).map(({ id }) => id))
    items = [...items, ...unseen.map((record) => confirmedWhileLoading.apply(toItem(record)))]
    tally = { total, counted }
  }

  const loadMore = async (): Promise<void> => {
    isExhausted = false
    for (let i = 0; i < maxTries; i += 1) {
      const known = countedItems()
      const batch = await leaseCounted(known)
      const before = items.length
      addBatch(batch)
      if (items.length > before) return
      // The remaining records are already known, or others hold their leases.
      isExhausted = true
      if (batch.left <= known.length - batch.closed.length) return
    }
  }

  /** Leases skipped records again, because their leases were released. Removes records that others have taken. */
  const reclaimSkipped = async (): Promise<void> => {
    const skipped = countedItems().filter((item) => isIn(item) && !leasedIds.has(item.record.id))
    if (skipped.length === 0) return
    const ids = new Set(skipped.map(({ record }) => record.id))
    const others = countedItems().filter(({ record }) => !ids.has(record.id))
    const batch = await leaseCounted(others)
    const reclaimed = new Set(batch.records.map(({ id }) => id))
    const current = items[index]
    items = items.filter(({ record }) => !ids.has(record.id) || reclaimed.has(record.id) || isEdited(record.id))
    index = current && items.includes(current) ? items.indexOf(current) : items.length
    if (reclaimed.size < ids.size) isExhausted = false
    addBatch(batch)
  }

  const prefetchMore = (): void => {
    const upcoming = items.slice(index + 1).filter(isIn).length
    if (!isExhausted && upcoming <= leaseLimit.prefetchAhead() && loading() === null) void load(loadMore)
  }
  const goTo = (next: number): void => {
    index = next
    publish()
    prefetchMore()
  }

  /** At the end: returns to the skipped records, starting at position `from`. */
  const wrapAround = async (from: number): Promise<void> => {
    await load(reclaimSkipped)
    if (problem() !== null) return
    goTo(nextOpenIndex(items.map(isIn), Math.min(from, items.length)) ?? items.length)
  }

  /** Shows the next record to answer: known records from here on, then new ones, then skipped ones. */
  const showNextOpen = async (): Promise<void> => {
    while (items[index] && !isIn(items[index] as QueueItem)) index += 1
    if (!items[index] && !isExhausted && problem() === null) {
      await load(loadMore)
      if (problem() === null) return showNextOpen()
    }
    if (!items[index] && problem() === null && items.some(isIn)) return wrapAround(items.length)
    publish()
    if (problem() === null) prefetchMore()
  }

  const resume = async (): Promise<void> => {
    clearProblem()
    publish()
    await showNextOpen()
    if (countStaleness.isStale() && problem() === null) recount()
  }

  const advance = async (): Promise<void> => {
    const from = index
    const next = items.findIndex((item, at) => at > from && isIn(item))
    if (next >= 0) return goTo(next)
    index = items.length
    publish()
    if (loading() !== null) await loading()
    // Others may have released records since the end was reached.
    if (items.length === index) await load(loadMore)
    if (problem() !== null) return
    return items.slice(index).some(isIn) ? showNextOpen() : wrapAround(from)
  }

  const releaseSkipped = (item: QueueItem | undefined): void => {
    if (item && isIn(item) && !isEdited(item.record.id)) releaseLeases([item.record.id])
  }

  const release = (): void => releaseLeases([...leasedIds].filter((id) => !isEdited(id)))

  const replace = (recordId: string, part: Partial<QueueItem>): void => {
    items = items.map((item) => (item.record.id === recordId ? { ...item, ...part } : item))
    publish()
  }

  return {
    subscribe,
    snapshot,
    open: async () => {
      if (loading() !== null) await loading()
      if (!items[index] || countStaleness.isStale()) isExhausted = false
      await resume()
    },
    renew: async () => {
      if (loading() !== null) await loading()
      clearProblem()
      isExhausted = false
      publish()
      const keepsCurrent = index < items.length
      await load(loadMore)
      if (keepsCurrent) goTo(index)
      else await showNextOpen()
    },
    next: () => {
      const skipped = items[index]
      if (index + 1 < items.length) goTo(index + 1)
      else if (skipped && !isExhausted) {
        goTo(items.length)
        void showNextOpen()
      } else return
      releaseSkipped(skipped)
    },
    previous: async () => {
      if (index > 0) goTo(index - 1)
    },
    advance,
    refill: resume,
    goToPosition: (position) => {
      if (!items[position - 1]) return false
      goTo(position - 1)
      return true
    },
    insertAndShow: (record) => {
      const known = items.findIndex((item) => item.record.id === record.id)
      if (known < 0) items = [...items.slice(0, index), toItem(record), ...items.slice(index)]
      goTo(known < 0 ? index : known)
    },
    find: (recordId) => items.find((item) => item.record.id === recordId) ?? null,
    confirm: (recordId: string, serverAnswer: ServerAnswer | null) => {
      if (serverAnswer !== null && serverAnswer.status !== 'draft') leasedIds.delete(recordId)
      confirmedWhileLoading.note(recordId, serverAnswer)
      // The list was counted before this answer to an unknown record.
      if (!isKnown(recordId)) recount()
      replace(recordId, { serverAnswer })
    },
    update: (record) => replace(record.id, { record }),
    remove: (recordId) => {
      const at = items.findIndex((item) => item.record.id === recordId)
      if (at < 0) return
      const isCurrent = at === index
      items = items.filter((_, place) => place !== at)
      tally = tally && withoutRecord(tally, recordId)
      leasedIds.delete(recordId)
      if (at < index) index -= 1
      publish()
      if (isCurrent) void showNextOpen()
    },
    refresh: publish,
    leasedIds: () => [...leasedIds],
    removeLost: (recordIds) => {
      const lost = new Set(recordIds)
      for (const id of lost) leasedIds.delete(id)
      const current = items[index]
      items = items.filter((item, at) => at <= index || !lost.has(item.record.id) || isEdited(item.record.id) || !isIn(item))
      index = current ? items.indexOf(current) : items.length
      publish()
      prefetchMore()
    },
    activate: () => {
      isReleased = false
    },
    release: () => {
      isReleased = true
      release()
      return items[index] || !isExhausted ? recordIdsOf(items.slice(0, index).filter(isIn)) : null
    },
  }
}
