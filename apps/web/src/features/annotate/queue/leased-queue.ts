import type { StandingAnswer } from '#lib/outbox/types.ts'
import { createCountAge } from './count-age.ts'
import type { QueueItem, QueueOptions, QueueSnapshot, Taken } from './item.ts'
import { toItem } from './item.ts'
import { createLoader } from './loader.ts'
import { createMeanwhile } from './meanwhile.ts'
import { createPublished } from './published.ts'
import type { Queue } from './queue.ts'
import { createShare } from './scarce.ts'
import type { Tally } from './window.ts'
import { left, nextIn, without } from './window.ts'

export type LeasedQueueOptions = Pick<QueueOptions, 'statusOf'> & {
  /** Asks for more records, each of which is kept for this annotator for a while. */
  readonly take: (asked: { readonly limit: number; readonly exclude: readonly string[] }) => Promise<Taken>
  /** Lets others have records. Never rejects. */
  readonly giveBack: (recordIds: readonly string[]) => void
  /** Edited records stay in hand when they are passed over. */
  readonly isEdited: (recordId: string) => boolean
}

export type LeasedQueue = Queue & {
  /** Records that are kept for this annotator, as far as this list knows. */
  readonly inHand: () => readonly string[]
  /** Somebody else has these now. */
  readonly lose: (recordIds: readonly string[]) => void
  /** Somebody looks at the list. */
  readonly keep: () => void
  /** Nobody does any more: gives back all that is in hand and not edited, and what is still on its way. @returns those that were passed over; null at the end */
  readonly release: () => readonly string[] | null
}

export const mostExcluded = 1000
/** How often to ask again when others were quicker with all that was found. */
const tries = 3

/** Pending records that are handed out: each to as many people as its answers are wanted of. */
export const createLeasedQueue = ({ take, giveBack, statusOf, isEdited }: LeasedQueueOptions): LeasedQueue => {
  let items: readonly QueueItem[] = []
  let index = 0
  let tally: Tally | null = null
  let isExhausted = false
  let isReleased = false
  const inHand = new Set<string>()
  const share = createShare()

  const isIn = (item: QueueItem): boolean => statusOf(item) === 'pending'
  const isCounted = ({ standing }: QueueItem): boolean => standing === null
  const isKnown = (id: string): boolean => items.some((item) => item.record.id === id)

  const meanwhile = createMeanwhile()
  const countAge = createCountAge()
  const { load, problem, forget, loading } = createLoader({
    onBegin: () => {
      meanwhile.begin()
      countAge.begin()
    },
    onEnd: () => {
      publish()
      if (problem() !== null) countAge.fail()
      else if (countAge.isOld()) countAnew()
    },
  })
  const countAnew = (): void => {
    countAge.grow()
    if (loading() === null && !isExhausted) void load(loadMore)
  }

  const read = (): QueueSnapshot => {
    const item = items[index] ?? null
    const waits = item === null && !isExhausted
    return {
      phase: problem() !== null && waits ? 'failed' : waits ? 'loading' : 'ready',
      problem: problem(),
      item,
      items: item ? [item] : [],
      position: index + 1,
      total:
        tally &&
        left(
          tally,
          items.map((one) => ({ id: one.record.id, isIn: isIn(one) })),
        ),
      hasPrevious: index > 0,
      hasNext: index + 1 < items.length || (item !== null && !isExhausted),
    }
  }
  const { subscribe, snapshot, publish } = createPublished(read)

  /** Known records that the server may still hand out. */
  const open = (): readonly QueueItem[] => items.filter(isCounted)
  const idsOf = (some: readonly QueueItem[]): readonly string[] => some.map(({ record }) => record.id)

  const held = (): number => items.slice(index).filter(isIn).length

  type Counted = Taken & Pick<Tally, 'counted'>
  /** Answers are on their way meanwhile: which of the records are in the count only the server knows, whatever is known here by now. */
  const takeCounted = async (known: readonly QueueItem[]): Promise<Counted> => {
    const before = idsOf(open())
    const taken = await take({ limit: share.limit(held()), exclude: idsOf(known).slice(-mostExcluded) })
    const closed = new Set(taken.closed)
    const ids = [...before.filter((id) => !closed.has(id)), ...taken.records.map(({ id }) => id)]
    return { ...taken, counted: new Set(ids) }
  }
  const letGo = (ids: readonly string[]): void => {
    const given = ids.filter((id) => inHand.delete(id))
    if (given.length > 0) giveBack(given)
  }
  const takeIn = ({ records, left: total, counted, ...from }: Counted): void => {
    for (const { id } of records) inHand.add(id)
    if (isReleased) release()
    share.tell({ left: total, ...from })
    const most = share.limit(held())
    const fresh = records.filter(({ id }) => !isKnown(id))
    const unseen = fresh.filter(({ id }, at) => at < most || isEdited(id))
    letGo(fresh.filter((record) => !unseen.includes(record)).map(({ id }) => id))
    items = [...items, ...unseen.map((record) => meanwhile.over(toItem(record)))]
    tally = { total, counted }
  }

  const loadMore = async (): Promise<void> => {
    isExhausted = false
    for (let i = 0; i < tries; i += 1) {
      const known = open()
      const taken = await takeCounted(known)
      const before = items.length
      takeIn(taken)
      if (items.length > before) return
      // What is left is known here, or others have it in hand.
      isExhausted = true
      if (taken.left <= known.length - taken.closed.length) return
    }
  }

  /** Passed over records were given back: those that nobody took meanwhile are had again, the others are gone. */
  const reclaim = async (): Promise<void> => {
    const passed = open().filter((item) => isIn(item) && !inHand.has(item.record.id))
    if (passed.length === 0) return
    const ids = new Set(passed.map(({ record }) => record.id))
    const others = open().filter(({ record }) => !ids.has(record.id))
    const taken = await takeCounted(others)
    const again = new Set(taken.records.map(({ id }) => id))
    const current = items[index]
    items = items.filter(({ record }) => !ids.has(record.id) || again.has(record.id) || isEdited(record.id))
    index = current && items.includes(current) ? items.indexOf(current) : items.length
    if (again.size < ids.size) isExhausted = false
    takeIn(taken)
  }

  const fill = (): void => {
    const upcoming = items.slice(index + 1).filter(isIn).length
    if (!isExhausted && upcoming <= share.ahead() && loading() === null) void load(loadMore)
  }
  const goTo = (next: number): void => {
    index = next
    publish()
    fill()
  }

  /** At the end: round to what was passed over, from the place that was left. */
  const goRound = async (from: number): Promise<void> => {
    await load(reclaim)
    if (problem() !== null) return
    goTo(nextIn(items.map(isIn), Math.min(from, items.length)) ?? items.length)
  }

  /** Shows a record that is to be answered: from here on, then new ones, then those that were passed over. */
  const settle = async (): Promise<void> => {
    while (items[index] && !isIn(items[index] as QueueItem)) index += 1
    if (!items[index] && !isExhausted && problem() === null) {
      await load(loadMore)
      if (problem() === null) return settle()
    }
    if (!items[index] && problem() === null && items.some(isIn)) return goRound(items.length)
    publish()
    if (problem() === null) fill()
  }

  const comeBack = async (): Promise<void> => {
    forget()
    publish()
    await settle()
    if (countAge.isOld() && problem() === null) countAnew()
  }

  const advance = async (): Promise<void> => {
    const from = index
    const next = items.findIndex((item, at) => at > from && isIn(item))
    if (next >= 0) return goTo(next)
    index = items.length
    publish()
    if (loading() !== null) await loading()
    // Others may have given something back since the end was seen.
    if (items.length === index) await load(loadMore)
    if (problem() !== null) return
    return items.slice(index).some(isIn) ? settle() : goRound(from)
  }

  const pass = (item: QueueItem | undefined): void => {
    if (item && isIn(item) && !isEdited(item.record.id)) letGo([item.record.id])
  }

  const release = (): void => letGo([...inHand].filter((id) => !isEdited(id)))

  const replace = (recordId: string, part: Partial<QueueItem>): void => {
    items = items.map((item) => (item.record.id === recordId ? { ...item, ...part } : item))
    publish()
  }

  return {
    subscribe,
    snapshot,
    open: async () => {
      if (loading() !== null) await loading()
      if (!items[index] || countAge.isOld()) isExhausted = false
      await comeBack()
    },
    renew: async () => {
      if (loading() !== null) await loading()
      forget()
      isExhausted = false
      publish()
      const stays = index < items.length
      await load(loadMore)
      if (stays) goTo(index)
      else await settle()
    },
    next: () => {
      const passed = items[index]
      if (index + 1 < items.length) goTo(index + 1)
      else if (passed && !isExhausted) {
        goTo(items.length)
        void settle()
      } else return
      pass(passed)
    },
    previous: async () => {
      if (index > 0) goTo(index - 1)
    },
    advance,
    refill: comeBack,
    goToPosition: (position) => {
      if (!items[position - 1]) return false
      goTo(position - 1)
      return true
    },
    bring: (record) => {
      const known = items.findIndex((item) => item.record.id === record.id)
      if (known < 0) items = [...items.slice(0, index), toItem(record), ...items.slice(index)]
      goTo(known < 0 ? index : known)
    },
    find: (recordId) => items.find((item) => item.record.id === recordId) ?? null,
    confirm: (recordId: string, standing: StandingAnswer | null) => {
      if (standing !== null && standing.status !== 'draft') inHand.delete(recordId)
      meanwhile.note(recordId, standing)
      // An answer to a record that is not known here was still counted when the list was read.
      if (!isKnown(recordId)) countAnew()
      replace(recordId, { standing })
    },
    update: (record) => replace(record.id, { record }),
    remove: (recordId) => {
      const at = items.findIndex((item) => item.record.id === recordId)
      if (at < 0) return
      const isCurrent = at === index
      items = items.filter((_, place) => place !== at)
      tally = tally && without(tally, recordId)
      inHand.delete(recordId)
      if (at < index) index -= 1
      publish()
      if (isCurrent) void settle()
    },
    refresh: publish,
    inHand: () => [...inHand],
    lose: (recordIds) => {
      const lost = new Set(recordIds)
      for (const id of lost) inHand.delete(id)
      const current = items[index]
      items = items.filter((item, at) => at <= index || !lost.has(item.record.id) || isEdited(item.record.id) || !isIn(item))
      index = current ? items.indexOf(current) : items.length
      publish()
      fill()
    },
    keep: () => {
      isReleased = false
    },
    release: () => {
      isReleased = true
      release()
      return items[index] || !isExhausted ? idsOf(items.slice(0, index).filter(isIn)) : null
    },
  }
}
