import { describe, expect, test } from 'vitest'
import { bulkLimit } from '#lib/constants.ts'
import { SearchList } from './search-list.ts'
import { createRecord } from './testing/record.ts'

/** Sets up a server with a list in a fixed order. Answered records leave the list as soon as their answer is confirmed. */
const setUp = (count: number, { start = 1, size = 10 } = {}) => {
  const answered = new Set<string>()
  const confirmed = new Set<string>()
  const keptOnPage = new Set<string>()
  let requests = 0
  const left = () =>
    Array.from({ length: count }, (_, index) => createRecord(String(index + 1))).filter(({ id }) => !confirmed.has(id))
  const queue = new SearchList({
    status: 'pending',
    start,
    size,
    statusOf: ({ record }) => (answered.has(record.id) ? 'submitted' : 'pending'),
    keepsOnPage: (id) => keptOnPage.has(id),
    fetchPage: async ({ offset, limit }) => {
      if (limit > bulkLimit) throw new Error(`${limit} records are too many`)
      requests += 1
      const records = left()
      return { records: records.slice(offset, offset + limit), total: records.length }
    },
  })
  const arrive = (number: number): void => {
    answered.add(String(number))
    confirmed.add(String(number))
  }
  const applyConfirmations = (number: number): void => {
    const serverAnswer = {
      id: '',
      record_id: '',
      user_id: '',
      status: 'submitted',
      values: {},
      suggestion_outcomes: null,
      returned: null,
      version: 1,
    } as const
    queue.confirm(String(number), { ...serverAnswer, inserted_at: '', updated_at: '' })
  }
  const ids = () => queue.snapshot().items.map(({ record }) => Number(record.id))
  return {
    queue,
    answered,
    keptOnPage,
    requests: () => requests,
    /** Delivers a record's answer to the server. */
    arrive,
    /** Makes another user answer a record without the browser's knowledge. */
    leave: (number: number) => confirmed.add(String(number)),
    /** Informs the browser that the server has the answer. */
    applyConfirmations,
    shows: (...expected: readonly number[]) => expect.poll(() => ids()).toEqual(expected),
    /** Answers the records, refills the page, and then confirms the answers. */
    answer: async (...numbers: readonly number[]) => {
      for (const number of numbers) answered.add(String(number))
      await queue.refill()
      for (const number of numbers) {
        arrive(number)
        applyConfirmations(number)
      }
    },
  }
}
const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe('pages of a queue', () => {
  test('fill up when records leave, and omit or repeat none', async () => {
    const { queue, answer, shows } = setUp(25)
    await queue.open()
    await shows(...upTo(1, 10))
    await answer(2, 4, 9)
    await shows(1, 3, 5, 6, 7, 8, 10, 11, 12, 13)
    await answer(1, 3, 5, 6, 7, 8, 10, 11, 12, 13)
    await shows(...upTo(14, 23))
    expect(queue.snapshot()).toMatchObject({ position: 1, total: 12, hasNext: true, hasPrevious: false })
    queue.next()
    await shows(24, 25)
    expect(queue.snapshot()).toMatchObject({ position: 11, hasNext: false, hasPrevious: true })
  })

  test('that are fully answered give way to earlier pages', async () => {
    const { queue, answer, shows } = setUp(25, { start: 21 })
    await queue.open()
    await shows(...upTo(21, 25))
    await queue.previous()
    await shows(...upTo(11, 20))
    queue.next()
    await answer(...upTo(21, 25))
    await shows(...upTo(11, 20))
    await answer(...upTo(11, 20))
    await shows(...upTo(1, 10))
    await answer(...upTo(1, 10))
    await shows()
    expect(queue.snapshot()).toMatchObject({ phase: 'ready', total: 0 })
  })

  test('are counted once, even if the server stores an answer before this page knows', async () => {
    const { queue, arrive, applyConfirmations, shows } = setUp(60)
    await queue.open()
    await shows(...upTo(1, 10))
    arrive(1)
    arrive(2)
    queue.refresh()
    await queue.refill()
    queue.next()
    await expect.poll(() => queue.snapshot().items[9]?.record.id).toBe('22')
    applyConfirmations(1)
    applyConfirmations(2)
    await expect.poll(() => queue.snapshot().total).toBe(58)
  })

  test('keep records that await a decision, and show returned records at their old position', async () => {
    const { queue, answer, answered, keptOnPage, shows } = setUp(12)
    await queue.open()
    keptOnPage.add('3')
    await answer(1, 2, 3)
    await shows(...upTo(3, 12))
    keptOnPage.clear()
    answered.delete('2')
    queue.refresh()
    await shows(2, ...upTo(4, 12))
    expect(queue.snapshot().position).toBe(1)
  })

  test.each([500, bulkLimit])('of %i records are read completely, in requests that the server accepts', async (size) => {
    const { queue, answer, requests, shows } = setUp(3 * size + 7, { size })
    await queue.open()
    await shows(...upTo(1, size))
    queue.next()
    await shows(...upTo(size + 1, 2 * size))
    await answer(...upTo(size + 1, size + 20))
    await shows(...upTo(size + 21, 2 * size + 20))
    queue.next()
    await shows(...upTo(2 * size + 21, 3 * size + 7))
    expect(queue.snapshot()).toMatchObject({ problem: null, total: 3 * size - 13, hasNext: false })
    expect(requests()).toBeLessThan(20)
  })

  test.each([4, 700, 1900])('of the largest size are found again after others answered %i records', async (gone) => {
    const { queue, leave, requests, shows } = setUp(5000, { size: bulkLimit })
    await queue.open()
    await expect.poll(() => queue.snapshot().hasNext).toBe(true)
    queue.next()
    await shows(...upTo(1001, 2000))
    for (const number of upTo(1, gone)) leave(number)
    queue.next()
    await shows(...upTo(2001, 3000))
    queue.next()
    await shows(...upTo(3001, 4000))
    expect(queue.snapshot().problem).toBe(null)
    expect(requests()).toBeLessThan(30)
  })
})
