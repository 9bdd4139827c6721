import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SearchList } from './search-list.ts'
import { createRecord, serverAnswerTo } from './testing/record.ts'
import { setUp } from './testing/search-server.ts'

describe('the queue', () => {
  test('counts again when an answer given in another list is confirmed', async () => {
    const { queue, list } = setUp(57)
    await queue.open()
    const elsewhere = list[40]!
    elsewhere.answer = 'submitted'
    queue.confirm(elsewhere.id, serverAnswerTo(elsewhere.id))
    await expect.poll(() => queue.snapshot().total).toBe(56)
  })

  test.each([
    { case: 'being loaded', isBefore: false },
    { case: 'requested, but not yet loaded', isBefore: true },
  ])('doesn’t show a record again when its answer is confirmed while it is $case', async ({ isBefore }) => {
    const { queue, list, shown, setInFlightWork } = setUp(57)
    const { id } = list[0]!
    if (isBefore) queue.confirm(id, serverAnswerTo(id))
    setInFlightWork(() => {
      if (!isBefore && list[0]?.answer === 'none') queue.confirm(id, serverAnswerTo(id))
      list[0]!.answer = 'submitted'
    })
    await queue.open()
    expect(shown()).toBe(list[1]?.id)
    expect(queue.snapshot().total).toBe(56)
  })

  test('stops after its limit when loaded at once, whatever leaves it, and loads more only on request', async () => {
    const { queue, answer, send, requests } = setUp(30, 1, 'pending', 10)
    await queue.open()
    expect(queue.snapshot().total).toBe(10)
    for (let answered = 1; answered <= 10; answered += 1) {
      await answer()
      if (answered % 4 === 0) send()
      expect(queue.snapshot().total).toBe(10 - answered)
    }
    send()
    expect(queue.snapshot()).toMatchObject({ item: null, phase: 'ready', total: 0 })
    expect(requests()).toBe(1)
    await queue.open()
    expect(queue.snapshot()).toMatchObject({ phase: 'ready', total: 10 })
    expect(queue.snapshot().item?.record.id).toBe('r0010')
    expect(requests()).toBe(2)
  })

  test('starts at a later record when loaded at once, or at the first if it is shorter', async () => {
    const later = setUp(30, 4, 'pending', 10)
    await later.queue.open()
    expect(later.queue.snapshot()).toMatchObject({ position: 4, total: 10, hasPrevious: true })
    const beyond = setUp(30, 11, 'pending', 10)
    await beyond.queue.open()
    expect(beyond.queue.snapshot()).toMatchObject({ position: 1, total: 10 })
  })

  test.each([
    { case: 'that precedes the visible one', gone: 'r0001', shown: 'r0003', position: 3 },
    { case: 'that is visible', gone: 'r0003', shown: 'r0004', position: 4 },
    { case: 'that follows the visible one', gone: 'r0005', shown: 'r0003', position: 4 },
    { case: 'that isn’t loaded', gone: 'r0050', shown: 'r0003', position: 4 },
  ])('continues when a record is deleted $case', async ({ gone, position, ...expected }) => {
    const { queue, list, answer, send, shown } = setUp(57)
    await queue.open()
    for (let skipped = 0; skipped < 3; skipped += 1) queue.next()
    const [{ id } = { id: '' }] = list.splice(
      list.findIndex((record) => record.id === gone),
      1,
    )
    queue.remove(id)
    expect(shown()).toBe(expected.shown)
    expect(queue.snapshot().position).toBe(position)
    // If a removed record was loaded, the total changes at once. If it wasn't, the total changes when more of the list is loaded.
    const seen = new Set<string>()
    while (shown() !== null) {
      seen.add(shown()!)
      await answer()
      send()
    }
    expect([...seen].sort()).toEqual(list.map((record) => record.id))
    expect(queue.snapshot().total).toBe(0)
  })

  test('stops counting a deleted record, whether or not it was counted', async () => {
    const { queue, list } = setUp(57)
    await queue.open()
    list.splice(1, 1)
    queue.remove('r0001')
    expect(queue.snapshot().total).toBe(56)
    // The next record is deleted only on the server. The queue therefore still contains it when the count is reloaded.
    list.splice(1, 1)
    queue.confirm('r0050', null)
    await expect.poll(() => queue.snapshot().total).toBe(55)
    queue.remove('r0002')
    await expect.poll(() => queue.snapshot().total).toBe(55)
  })

  test('shows every record once while answers leave the list, sent or not', async () => {
    for (const sends of [true, false]) {
      const { queue, answer, send, shown } = setUp(57)
      await queue.open()
      const seen: (string | null)[] = []
      while (shown() !== null) {
        seen.push(shown())
        await answer()
        if (sends) send()
      }
      expect(seen).toHaveLength(57)
      expect(new Set(seen).size).toBe(57)
      expect(queue.snapshot()).toMatchObject({ phase: 'ready', item: null, total: 0 })
    }
  })

  test('updates the remaining count at once, and doesn’t count an answer twice when it is sent', async () => {
    const { queue, answer, send } = setUp(30)
    await queue.open()
    expect(queue.snapshot()).toMatchObject({ total: 30, position: 1 })
    for (let i = 1; i <= 12; i += 1) {
      await answer()
      expect(queue.snapshot().total).toBe(30 - i)
      if (i % 5 === 0) send()
      expect(queue.snapshot().total).toBe(30 - i)
    }
    expect(queue.snapshot().position).toBe(1)
  })

  test('returns to skipped records before it reports the end', async () => {
    const { queue, answer, shown } = setUp(13)
    await queue.open()
    queue.next()
    queue.next()
    const seen = new Set<string>()
    while (shown() !== null) {
      seen.add(shown()!)
      await answer()
    }
    expect(seen.size).toBe(13)
  })

  test('starts at the position in the address, or at the first record if there is no such position', async () => {
    const middle = setUp(40, 25)
    await middle.queue.open()
    expect([middle.shown(), middle.queue.snapshot().position]).toEqual(['r0024', 25])
    await middle.queue.previous()
    expect([middle.shown(), middle.queue.snapshot().position]).toEqual(['r0023', 24])
    const beyond = setUp(4, 25)
    await beyond.queue.open()
    expect(beyond.shown()).toBe('r0000')
  })

  test('also reaches the earlier records when opened in the middle', async () => {
    const { queue, answer, shown } = setUp(22, 15)
    await queue.open()
    const seen = new Set<string>()
    while (shown() !== null) {
      seen.add(shown()!)
      await answer()
    }
    expect(seen.size).toBe(22)
  })

  test('keeps its positions when opened near the end, with the earlier records before them', async () => {
    const { queue, shown, answer, send } = setUp(9, 3)
    await queue.open()
    expect(shown()).toBe('r0002')
    expect(queue.snapshot()).toMatchObject({ position: 3, total: 9, hasPrevious: true })
    await queue.previous()
    expect(shown()).toBe('r0001')
    expect(queue.snapshot().position).toBe(2)
    queue.next()
    for (let at = 2; at < 8; at += 1) queue.next()
    await expect.poll(() => shown()).toBe('r0008')
    expect(queue.snapshot()).toMatchObject({ position: 9, hasNext: false })
    await answer()
    send()
    expect(shown()).toBe('r0000')
    expect(queue.snapshot()).toMatchObject({ position: 1, hasPrevious: false, total: 8 })
  })

  test('shows the earlier records in order after the last one is answered, when opened at the last record', async () => {
    const { queue, shown, answer, requests } = setUp(250, 249)
    await queue.open()
    expect(shown()).toBe('r0248')
    expect(queue.snapshot()).toMatchObject({ position: 249, total: 250 })
    expect(requests()).toBe(1)
    await answer()
    expect(shown()).toBe('r0249')
    await answer()
    expect(shown()).toBe('r0000')
    for (let at = 0; at < 3; at += 1) queue.next()
    expect(shown()).toBe('r0003')
    expect(queue.snapshot()).toMatchObject({ position: 4, total: 248 })
  })

  test('keeps answered records reachable with Previous', async () => {
    const { queue, answer, send, shown } = setUp(5)
    await queue.open()
    await answer()
    send()
    expect(shown()).toBe('r0001')
    await queue.previous()
    expect(shown()).toBe('r0000')
    expect(queue.snapshot().item?.serverAnswer?.status).toBe('submitted')
  })

  test('fails visibly only when it has nothing to show, and can be opened again', async () => {
    let broken = true
    const queue = new SearchList({
      status: 'pending',
      start: 1,
      statusOf: () => 'pending',
      fetchPage: async () => {
        if (broken) throw new Error('down')
        return { records: [createRecord('r')], total: 1 }
      },
    })
    await queue.open()
    expect(queue.snapshot().phase).toBe('failed')
    broken = false
    await queue.open()
    expect(queue.snapshot()).toMatchObject({ phase: 'ready', total: 1 })
  })

  test('looks for new records on request at the end', async () => {
    const { queue, answer, insert, shown, send } = setUp(2)
    await queue.open()
    await answer()
    await answer()
    send()
    expect(shown()).toBeNull()
    insert(0)
    await queue.open()
    expect(shown()).toBe('r0002')
  })

  /**
   * Simulates a user of a browser that `setUp` created. After each answer, checks that the next record hasn't been answered yet.
   */
  const person = (browser: ReturnType<typeof setUp>) => {
    const answered = new Set<string>()
    const answer = async (): Promise<void> => {
      const id = browser.shown()
      if (id !== null) answered.add(id)
      await browser.answer()
      const next = browser.shown()
      if (next !== null) expect(answered.has(next)).toBe(false)
    }
    return {
      answer,
      do: {
        answer,
        next: async () => browser.queue.next(),
        previous: () => browser.queue.previous(),
        send: async () => browser.send(),
        elsewhere: async (at: number) => browser.completeElsewhere(at),
        insert: async (at: number) => {
          browser.insert(at)
        },
      },
    }
  }

  /** Answers records until none are left, even after the queue is reopened. */
  const finish = async (browser: ReturnType<typeof setUp>, answer: () => Promise<void>): Promise<void> => {
    for (let i = 0; i < 300; i += 1) {
      if (browser.shown() === null) await browser.queue.open()
      if (browser.shown() === null) return
      await answer()
      browser.send()
    }
  }

  test('never shows an answered record again and ends reliably, whatever other users do', async () => {
    const what = fc.constantFrom<keyof ReturnType<typeof person>['do']>(
      'answer',
      'answer',
      'answer',
      'next',
      'previous',
      'send',
      'elsewhere',
      'insert',
    )
    const steps = fc.array(fc.tuple(what, fc.nat(60)), { maxLength: 80 })
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 30 }), async (plan, count, start) => {
        const browser = setUp(count, start)
        const someone = person(browser)
        await browser.queue.open()
        for (const [step, at] of plan) await someone.do[step](at)
        browser.send()
        await finish(browser, someone.answer)
        expect(browser.pending().length).toBe(0)
      }),
      { numRuns: 300 },
    )
  })
})
