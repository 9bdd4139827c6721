import type { RecordFilterStatus } from '#lib/url/grammar.ts'
import { createQueue } from '../queue.ts'
import { recordWith, standingOf } from './record.ts'

type Stored = { readonly id: string; answer: 'none' | 'submitted'; completed: boolean }

/** A server with a list in a fixed order, and a browser whose answers reach it late. */
export const setUp = (count: number, start = 1, status: RecordFilterStatus = 'pending', whole: number | null = null) => {
  let made = 0
  const make = (): Stored => ({ id: `r${String(made++).padStart(4, '0')}`, answer: 'none', completed: false })
  const list: Stored[] = Array.from({ length: count }, make)
  const pending = () => list.filter((record) => record.answer === 'none' && !record.completed)
  const unsent = new Set<string>()
  let requests = 0
  let onTheWay: (() => void) | null = null
  /** What the device has, while the server is out of reach; null while it is there. */
  let atHand: ReadonlySet<string> | null = null
  const queue = createQueue({
    status,
    start,
    whole,
    fetchPage: async ({ offset, limit }) => {
      requests += 1
      const matching = pending().filter(({ id }) => atHand?.has(id) ?? true)
      const page = { records: matching.slice(offset, offset + limit).map(({ id }) => recordWith(id)), total: matching.length }
      // What was found is on its way while other things happen.
      onTheWay?.()
      return page
    },
    statusOf: ({ record, standing }) => (unsent.has(record.id) ? 'submitted' : (standing?.status ?? 'pending')),
  })
  const send = () => {
    for (const id of unsent) {
      list.find((record) => record.id === id)!.answer = 'submitted'
      unsent.delete(id)
      queue.confirm(id, standingOf(id))
    }
  }
  return {
    queue,
    list,
    pending,
    requests: () => requests,
    send,
    meanwhile: (work: () => void) => {
      onTheWay = work
    },
    shown: () => queue.snapshot().item?.record.id ?? null,
    /** Answers the record on the screen; the server hears of it with `send`. */
    answer: async () => {
      const { item } = queue.snapshot()
      if (item) unsent.add(item.record.id)
      queue.refresh()
      await queue.advance()
    },
    /** From now on only some of the list is to be had. */
    goAway: (every: number) => {
      atHand = new Set(pending().flatMap(({ id }, at) => (at % every === 0 ? [id] : [])))
    },
    isAway: () => atHand !== null,
    comeBack: async () => {
      atHand = null
      await queue.renew()
    },
    completeElsewhere: (at: number) => {
      const record = pending().filter((one) => one.id !== queue.snapshot().item?.record.id)[at]
      if (record) record.completed = true
    },
    insert: (at: number) => list.splice(at % (list.length + 1), 0, make()),
  }
}
