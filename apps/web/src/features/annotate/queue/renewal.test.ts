import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LeasedList } from './leased-list.ts'
import { createRecord, serverAnswerTo } from './testing/record.ts'
import { setUp } from './testing/search-server.ts'

describe('an offline list after the server is reachable again', () => {
  test("continues where it ended, and shows the server's count", async () => {
    const browser = setUp(30)
    browser.goAway(3)
    await browser.queue.open()
    expect(browser.queue.snapshot().total).toBe(10)
    for (let i = 0; i < 10; i += 1) await browser.answer()
    expect(browser.queue.snapshot()).toMatchObject({ phase: 'ready', item: null, total: 0 })
    const renewed = browser.comeBack()
    // The queue must never report that no records are left.
    expect(browser.queue.snapshot().phase).toBe('loading')
    await renewed
    expect(browser.queue.snapshot()).toMatchObject({ phase: 'ready', total: 20 })
    browser.send()
    expect(browser.queue.snapshot().total).toBe(20)
    expect(browser.shown()).toBe('r0001')
  })

  test('keeps the current record, and omits, repeats or double-counts none, whatever happens', async () => {
    const what = fc.constantFrom('answer', 'answer', 'answer', 'next', 'previous', 'send', 'elsewhere', 'away', 'back')
    const steps = fc.array(fc.tuple(what, fc.nat(60)), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 30 }), async (plan, count, start) => {
        const browser = setUp(count, start)
        const { queue } = browser
        const answered = new Set<string>()
        const answer = async (): Promise<void> => {
          const id = browser.shown()
          if (id !== null) answered.add(id)
          await browser.answer()
          expect(answered.has(browser.shown() ?? '')).toBe(false)
        }
        const back = async (): Promise<void> => {
          const before = browser.shown()
          await browser.comeBack()
          if (before !== null) expect(browser.shown()).toBe(before)
          else expect(answered.has(browser.shown() ?? '')).toBe(false)
        }
        const actions: { readonly [step: string]: (at: number) => unknown } = {
          answer,
          next: () => queue.next(),
          previous: () => queue.previous(),
          send: () => browser.isAway() || browser.send(),
          elsewhere: (at) => browser.completeElsewhere(at),
          away: (at) => browser.isAway() || browser.goAway((at % 4) + 1),
          back: () => browser.isAway() && back(),
        }
        await queue.open()
        for (const [step, at] of plan) {
          // The user may have gone back to an answered record. This test answers each record only once, so it shows the next
          // record.
          if (step === 'answer' && answered.has(browser.shown() ?? '')) queue.next()
          else await actions[step]?.(at)
        }
        if (browser.isAway()) await back()
        browser.send()
        for (let i = 0; i < 300; i += 1) {
          if (browser.shown() === null) await queue.open()
          if (browser.shown() === null) break
          await answer()
          browser.send()
        }
        expect(browser.pending()).toEqual([])
        expect(queue.snapshot().total).toBe(0)
      }),
      { numRuns: 300 },
    )
  })

  test('continues to assign records, and no longer counts those answered in between', async () => {
    const done = new Set<string>()
    const unsent = new Set<string>()
    const names = Array.from({ length: 12 }, (_, at) => `r${at}`)
    let isAway = true
    const queue = new LeasedList({
      lease: async ({ limit, exclude }) => {
        const open = names.filter((id, at) => !done.has(id) && (!isAway || (at % 2 === 0 && !unsent.has(id))))
        const records = open.filter((id) => !exclude.includes(id)).slice(0, limit)
        return { records: records.map(createRecord), left: open.length, closed: exclude.filter((id) => !open.includes(id)) }
      },
      releaseRecords: () => undefined,
      acquire: async () => true,
      acquireView: async () => 'leased',
      statusOf: ({ record, serverAnswer }) => (unsent.has(record.id) ? 'submitted' : (serverAnswer?.status ?? 'pending')),
      isEdited: () => false,
    })
    const answer = async (): Promise<void> => {
      unsent.add(queue.snapshot().item?.record.id ?? '')
      queue.refresh()
      await queue.advance()
    }
    // This record was answered before the list existed, but its answer hasn't been sent yet, so the server assigns it first.
    unsent.add('r0')
    await queue.open()
    for (let i = 0; i < 5; i += 1) await answer()
    expect(queue.snapshot()).toMatchObject({ phase: 'ready', item: null, total: 0 })
    isAway = false
    const renewed = queue.renew()
    expect(queue.snapshot().phase).toBe('loading')
    await renewed
    expect(queue.snapshot()).toMatchObject({ phase: 'ready', total: 6 })
    expect(queue.snapshot().item?.record.id).toBe('r1')
    for (const id of [...unsent]) {
      done.add(id)
      unsent.delete(id)
      queue.confirm(id, serverAnswerTo(id))
    }
    expect(queue.snapshot().total).toBe(6)
    for (let i = 0; i < 6; i += 1) await answer()
    expect(queue.snapshot()).toMatchObject({ phase: 'ready', item: null, total: 0 })
  })
})
