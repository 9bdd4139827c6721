import type { RecordFilterStatus } from '@postil/contract/annotation-query/grammar.ts'
import { SearchList } from '../search-list.ts'
import { createRecord, serverAnswerTo } from './record.ts'

type Stored = { readonly id: string; answer: 'none' | 'submitted'; completed: boolean }

/** Sets up a list in a fixed order and a simulated server. The server receives answers only when the test calls `send`. */
export const setUp = (count: number, start = 1, status: RecordFilterStatus = 'pending', fixedSize: number | null = null) => {
  let createdCount = 0
  const createStored = (): Stored => ({ id: `r${String(createdCount++).padStart(4, '0')}`, answer: 'none', completed: false })
  const list: Stored[] = Array.from({ length: count }, createStored)
  const pending = () => list.filter((record) => record.answer === 'none' && !record.completed)
  const unsent = new Set<string>()
  let requests = 0
  let whileInFlight: (() => void) | null = null
  /** The records on the device while the server is unreachable; null while it is reachable. */
  let idsOnDevice: ReadonlySet<string> | null = null
  const queue = new SearchList({
    status,
    start,
    fixedSize,
    fetchPage: async ({ offset, limit }) => {
      requests += 1
      const matching = pending().filter(({ id }) => idsOnDevice?.has(id) ?? true)
      const page = { records: matching.slice(offset, offset + limit).map(({ id }) => createRecord(id)), total: matching.length }
      // Lets the test act while the response is in flight.
      whileInFlight?.()
      return page
    },
    statusOf: ({ record, serverAnswer }) => (unsent.has(record.id) ? 'submitted' : (serverAnswer?.status ?? 'pending')),
  })
  const send = () => {
    for (const id of unsent) {
      list.find((record) => record.id === id)!.answer = 'submitted'
      unsent.delete(id)
      queue.confirm(id, serverAnswerTo(id))
    }
  }
  return {
    queue,
    list,
    pending,
    requests: () => requests,
    send,
    setInFlightWork: (work: () => void) => {
      whileInFlight = work
    },
    shown: () => queue.snapshot().item?.record.id ?? null,
    /** Answers the current record. The server doesn't receive the answer until `send` is called. */
    answer: async () => {
      const { item } = queue.snapshot()
      if (item) unsent.add(item.record.id)
      queue.refresh()
      await queue.advance()
    },
    /**
     * Makes the server unreachable. From then on, the device provides only every `every`-th record in the list, starting with the
     * first.
     */
    goAway: (every: number) => {
      idsOnDevice = new Set(pending().flatMap(({ id }, at) => (at % every === 0 ? [id] : [])))
    },
    isAway: () => idsOnDevice !== null,
    comeBack: async () => {
      idsOnDevice = null
      await queue.renew()
    },
    completeElsewhere: (at: number) => {
      const record = pending().filter((one) => one.id !== queue.snapshot().item?.record.id)[at]
      if (record) record.completed = true
    },
    insert: (at: number) => list.splice(at % (list.length + 1), 0, createStored()),
  }
}
