import type { ReviewQueueResult } from '@postil/contract/review.ts'
import { expect, test } from 'vitest'
import { createReviewList } from './review-list.ts'

/** A queue in memory. Requests to it wait until the test answers them. */
const setUp = (ids: readonly string[]) => {
  const open = [...ids]
  const unsent = new Set<string>()
  const pending: (() => void)[] = []
  const requests: (readonly string[])[] = []
  let isUp = true
  const list = createReviewList({
    isUnsent: (id) => unsent.has(id),
    take: ({ limit, exclude }) =>
      new Promise<ReviewQueueResult>((resolve, reject) => {
        requests.push(exclude)
        pending.push(() => {
          const left = open.filter((id) => !exclude.includes(id))
          const items = left.slice(0, limit).map((record_id) => ({ record_id, until: '' }))
          if (isUp) resolve({ items, left: left.length, more: false })
          else reject(new Error('down'))
        })
      }),
  })
  const settle = async () => {
    while (pending.length > 0) {
      pending.shift()?.()
      await new Promise((done) => setTimeout(done))
    }
  }
  /** Shows the next record. */
  const next = (current: string | null): string | null => {
    const id = list.after(current)
    if (id !== null) list.show(id)
    return id
  }
  /** Finishes the review of a record. On the simulated server, the record is no longer open, as if the request had arrived. */
  const finish = (id: string): void => {
    list.finish(id)
    open.splice(open.indexOf(id), 1)
  }
  return { list, open, unsent, requests, settle, next, finish, setUp: (up: boolean) => (isUp = up) }
}

test('records come in order, and the count falls with each finished one', async () => {
  const { list, settle, next, finish } = setUp(['a', 'b', 'c', 'd', 'e'])
  void list.refill()
  expect(list.snapshot().phase).toBe('loading')
  await settle()
  const seen: (string | null)[] = []
  const counts: (number | null)[] = []
  for (let current = next(null); current !== null; current = next(current)) {
    seen.push(current)
    counts.push(list.snapshot().left)
    finish(current)
    void list.refill()
    await settle()
  }
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(counts).toEqual([5, 4, 3, 2, 1])
  expect(list.snapshot()).toMatchObject({ phase: 'ready', left: 0, upcoming: [] })
})

test('skipped records are counted and come again after a restart', async () => {
  const { list, settle, next, finish } = setUp(['a', 'b'])
  void list.refill()
  await settle()
  next(null)
  next('a')
  finish('b')
  void list.refill()
  await settle()
  expect(list.snapshot()).toMatchObject({ left: 1, skipped: 1, upcoming: [] })
  expect(list.before('b')).toBe('a')
  void list.restart()
  await settle()
  expect(list.snapshot()).toMatchObject({ left: 1, skipped: 0, upcoming: ['a'] })
})

test('a record opened by its address is counted once', async () => {
  const { list, settle } = setUp(['a', 'b', 'c', 'd', 'e'])
  list.show('a')
  await settle()
  expect(list.snapshot()).toMatchObject({ left: 5, upcoming: ['b', 'c', 'd'] })
  expect(list.reservedIds()).toEqual(['b', 'c', 'd', 'a'])
})

test('a record whose final answers are being sent is not counted, and does not come again', async () => {
  const { list, unsent, requests, settle, next } = setUp(['a', 'b'])
  void list.refill()
  await settle()
  next(null)
  list.finish('a')
  unsent.add('a')
  void list.refill()
  await settle()
  expect(requests.at(-1)).toEqual(['a'])
  expect(list.snapshot()).toMatchObject({ left: 1, upcoming: ['b'] })
})

test('a finished record whose answers change comes again', async () => {
  const { list, open, settle, next, finish } = setUp(['a'])
  void list.refill()
  await settle()
  next(null)
  finish('a')
  void list.refill()
  await settle()
  open.push('a')
  void list.refill(true)
  expect(list.snapshot().phase).toBe('ready')
  await settle()
  expect(list.snapshot()).toMatchObject({ left: 1, upcoming: ['a'] })
  expect(list.after('a')).toBe('a')
})

test('the next records stay while the server is down', async () => {
  const { list, settle, next, setUp: setServer } = setUp(['a', 'b', 'c'])
  void list.refill()
  await settle()
  setServer(false)
  next(null)
  void list.refill()
  await settle()
  expect(list.snapshot()).toMatchObject({ phase: 'ready', upcoming: ['b', 'c'] })
  next('a')
  next('b')
  await settle()
  expect(list.snapshot()).toMatchObject({ phase: 'failed', upcoming: [] })
})
