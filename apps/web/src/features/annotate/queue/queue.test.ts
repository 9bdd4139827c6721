import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createQueue } from './queue.ts'
import { recordWith, standingOf } from './testing/record.ts'
import { setUp } from './testing/served-list.ts'

describe('the queue', () => {
  test('counts anew when an answer that was given in another list arrives', async () => {
    const { queue, list } = setUp(57)
    await queue.open()
    const elsewhere = list[40]!
    elsewhere.answer = 'submitted'
    queue.confirm(elsewhere.id, standingOf(elsewhere.id))
    await expect.poll(() => queue.snapshot().total).toBe(56)
  })

  test.each([
    { case: 'on its way', isBefore: false },
    { case: 'asked for before the list was there', isBefore: true },
  ])('does not show a record again whose answer is taken while it is $case', async ({ isBefore }) => {
    const { queue, list, shown, meanwhile } = setUp(57)
    const { id } = list[0]!
    if (isBefore) queue.confirm(id, standingOf(id))
    meanwhile(() => {
      if (!isBefore && list[0]?.answer === 'none') queue.confirm(id, standingOf(id))
      list[0]!.answer = 'submitted'
    })
    await queue.open()
    expect(shown()).toBe(list[1]?.id)
    expect(queue.snapshot().total).toBe(56)
  })

  test('that is read at once ends after its limit, whatever leaves it, and looks for more only when asked', async () => {
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

  test('that is read at once begins at a later record, or at the first where it is shorter', async () => {
    const later = setUp(30, 4, 'pending', 10)
    await later.queue.open()
    expect(later.queue.snapshot()).toMatchObject({ position: 4, total: 10, hasPrevious: true })
    const beyond = setUp(30, 11, 'pending', 10)
    await beyond.queue.open()
    expect(beyond.queue.snapshot()).toMatchObject({ position: 1, total: 10 })
  })

  test.each([
    { case: 'before the one shown', gone: 'r0001', shown: 'r0003', position: 3 },
    { case: 'that is shown', gone: 'r0003', shown: 'r0004', position: 4 },
    { case: 'after the one shown', gone: 'r0005', shown: 'r0003', position: 4 },
    { case: 'that is not known', gone: 'r0050', shown: 'r0003', position: 4 },
  ])('goes on when a record is gone $case', async ({ gone, position, ...wanted }) => {
    const { queue, list, answer, send, shown } = setUp(57)
    await queue.open()
    for (let passed = 0; passed < 3; passed += 1) queue.next()
    const [{ id } = { id: '' }] = list.splice(
      list.findIndex((record) => record.id === gone),
      1,
    )
    queue.remove(id)
    expect(shown()).toBe(wanted.shown)
    expect(queue.snapshot().position).toBe(position)
    // How many are left is known at once of what is known here, else when the list is read further.
    const seen = new Set<string>()
    while (shown() !== null) {
      seen.add(shown()!)
      await answer()
      send()
    }
    expect([...seen].sort()).toEqual(list.map((record) => record.id))
    expect(queue.snapshot().total).toBe(0)
  })

  test('counts a record that is gone no longer, whether it was counted or not', async () => {
    const { queue, list } = setUp(57)
    await queue.open()
    list.splice(1, 1)
    queue.remove('r0001')
    expect(queue.snapshot().total).toBe(56)
    // Counted again while it was gone already, by a list that still had it.
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

  test('tells what is left at once, and does not count an answer twice when it is sent', async () => {
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

  test('comes back to what was passed over, before it says that nothing is left', async () => {
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

  test('begins at the place of the address, and at the first record when there is no such place', async () => {
    const middle = setUp(40, 25)
    await middle.queue.open()
    expect([middle.shown(), middle.queue.snapshot().position]).toEqual(['r0024', 25])
    await middle.queue.previous()
    expect([middle.shown(), middle.queue.snapshot().position]).toEqual(['r0023', 24])
    const beyond = setUp(4, 25)
    await beyond.queue.open()
    expect(beyond.shown()).toBe('r0000')
  })

  test('from the middle it also gets to what lies before', async () => {
    const { queue, answer, shown } = setUp(22, 15)
    await queue.open()
    const seen = new Set<string>()
    while (shown() !== null) {
      seen.add(shown()!)
      await answer()
    }
    expect(seen.size).toBe(22)
  })

  test('opened near its end it keeps its places, and what lies before is in front of it', async () => {
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

  test('opened at its last record, what lies before comes when that one is answered, in its order', async () => {
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

  test('answered records stay within reach of previous', async () => {
    const { queue, answer, send, shown } = setUp(5)
    await queue.open()
    await answer()
    send()
    expect(shown()).toBe('r0001')
    await queue.previous()
    expect(shown()).toBe('r0000')
    expect(queue.snapshot().item?.standing?.status).toBe('submitted')
  })

  test('fails loudly only when there is nothing to show, and opens again', async () => {
    let broken = true
    const queue = createQueue({
      status: 'pending',
      start: 1,
      statusOf: () => 'pending',
      fetchPage: async () => {
        if (broken) throw new Error('down')
        return { records: [recordWith('r')], total: 1 }
      },
    })
    await queue.open()
    expect(queue.snapshot().phase).toBe('failed')
    broken = false
    await queue.open()
    expect(queue.snapshot()).toMatchObject({ phase: 'ready', total: 1 })
  })

  test('at the end it looks for new records when asked', async () => {
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

  /** Someone at the browser of `setUp`, who checks that no answered record comes back. */
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

  /** Answers until the queue says, also when asked again, that nothing is left. */
  const finish = async (browser: ReturnType<typeof setUp>, answer: () => Promise<void>): Promise<void> => {
    for (let i = 0; i < 300; i += 1) {
      if (browser.shown() === null) await browser.queue.open()
      if (browser.shown() === null) return
      await answer()
      browser.send()
    }
  }

  test('whatever others do meanwhile: nothing is shown again once answered, and the end is the end', async () => {
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
