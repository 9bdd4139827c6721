import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { names, nextTask, setUp } from './testing/lease-server.ts'
import { serverAnswerTo } from './testing/record.ts'

describe('assigned records', () => {
  test('are shown one after the other, each once, with the number left', async () => {
    const { join } = setUp(20)
    const first = join()
    await first.queue.open()
    const seen: (string | null)[] = []
    for (let i = 0; i < 20; i++) {
      expect(first.queue.snapshot().total).toBe(20 - i)
      seen.push(await first.answer())
      if (i % 3 === 0) first.send()()
    }
    expect(seen).toEqual(names(20))
    expect(first.queue.snapshot()).toMatchObject({ phase: 'ready', item: null, total: 0 })
  })

  test('are counted once, whenever an answer to one of them is confirmed', async () => {
    const { join, setInFlightWork } = setUp(20)
    const first = join()
    await first.queue.open()
    setInFlightWork(async () => first.send()())
    for (let i = 0; i < 12; i++) {
      await first.answer()
      await nextTask()
      expect(first.queue.snapshot().total).toBe(19 - i)
    }
  })

  test.each([
    { case: 'while they are loaded', isBefore: false },
    { case: 'after they were requested and before they are loaded', isBefore: true },
  ])('are not shown again if an answer from the last visit is confirmed $case', async ({ isBefore }) => {
    const { join, done, setInFlightWork } = setUp(20)
    const { queue, shown } = join()
    const confirm = async () => queue.confirm('r000', serverAnswerTo('r000'))
    if (isBefore) await confirm()
    else setInFlightWork(confirm)
    await queue.open()
    done.add('r000')
    expect(shown()).toBe('r001')
    expect(queue.snapshot().total).toBe(19)
  })

  test('are counted once, even if the server stores an answer before this page knows', async () => {
    const { join } = setUp(20)
    const first = join()
    await first.queue.open()
    const confirmations: (() => void)[] = []
    for (let i = 0; i < 12; i++) {
      await first.answer()
      if (i % 2 === 0) confirmations.push(first.send())
      await nextTask()
      expect(first.queue.snapshot().total).toBe(19 - i)
      if (i % 5 === 4) for (const applyConfirmations of confirmations.splice(0)) applyConfirmations()
      expect(first.queue.snapshot().total).toBe(19 - i)
    }
  })

  test('are recounted if an answer to another record is confirmed while they load', async () => {
    const { join, done, setInFlightWork } = setUp(20)
    const { queue } = join()
    setInFlightWork(async () => {
      setInFlightWork(null)
      done.add('r019')
      queue.confirm('r019', serverAnswerTo('r019'))
    })
    await queue.open()
    await expect.poll(() => queue.snapshot().total).toBe(19)
  })

  test('are recounted on return if an answer to another record was confirmed while the server was unreachable', async () => {
    const { join, done, setDown } = setUp(20)
    const { queue } = join()
    await queue.open()
    queue.release()
    done.add('r019')
    setDown(true)
    queue.confirm('r019', serverAnswerTo('r019'))
    await nextTask()
    setDown(false)
    queue.activate()
    await queue.open()
    await expect.poll(() => queue.snapshot().total).toBe(19)
  })

  test('are never assigned to two people at once, and are all answered', async () => {
    const { join, done } = setUp(30)
    const team = [join(), join(), join()]
    await Promise.all(team.map(({ queue }) => queue.open()))
    const seen: string[] = []
    for (let i = 0; i < 40 && done.size < 30; i++) {
      const given = await Promise.all(team.map((one) => one.answer()))
      seen.push(...given.filter((id) => id !== null))
      for (const one of team) one.send()()
    }
    expect(seen.toSorted()).toEqual(names(30))
  })

  test('are shared when few are left: a newcomer gets one that others only hold in reserve', async () => {
    const { join, done, holderOf } = setUp(6)
    const team = [join(), join(), join()]
    for (const { queue } of team) await queue.open()
    expect(team.map(({ shown }) => shown())).toEqual(['r000', 'r002', 'r004'])
    expect(team.map(({ queue }) => queue.leasedIds().length)).toEqual([2, 2, 2])
    for (let i = 0; i < 6 && done.size < 6; i++) {
      for (const one of team) {
        await one.answer()
        one.send()()
        await nextTask()
      }
    }
    expect([...done].toSorted()).toEqual(names(6))
    const late = join()
    await late.queue.open()
    expect([late.shown(), holderOf('r000')]).toEqual([null, null])
  })

  test('are all shown to a single annotator who holds at most two at a time, including skipped ones', async () => {
    const { join } = setUp(6)
    const { queue, answer, send, shown } = join()
    await queue.open()
    queue.next()
    await nextTask()
    const seen: (string | null)[] = []
    for (let i = 0; i < 6; i++) {
      expect(queue.snapshot().total).toBe(6 - i)
      expect(queue.leasedIds().length).toBeLessThanOrEqual(2)
      seen.push(await answer())
      send()()
      await nextTask()
    }
    expect([seen.toSorted(), shown()]).toEqual([names(6), null])
  })

  test('are released when skipped, and shown again at the end if no one took them', async () => {
    const { join, holderOf, holdElsewhere } = setUp(8)
    const first = join()
    await first.queue.open()
    first.queue.next()
    first.queue.next()
    await nextTask()
    expect([holderOf('r000'), holderOf('r001'), first.shown()]).toEqual([null, null, 'r002'])
    holdElsewhere('r001')
    const seen: (string | null)[] = []
    for (let i = 0; i < 7; i++) seen.push(await first.answer())
    expect(seen).toEqual(['r002', 'r003', 'r004', 'r005', 'r006', 'r007', 'r000'])
    expect(first.shown()).toBe(null)
  })

  test('can be returned to after they were skipped', async () => {
    const { join } = setUp(3)
    const first = join()
    await first.queue.open()
    first.queue.next()
    expect(first.queue.snapshot()).toMatchObject({ position: 2, hasPrevious: true })
    await first.queue.previous()
    expect(first.shown()).toBe('r000')
    expect(await first.answer()).toBe('r000')
  })

  test('stay assigned while they have edits', async () => {
    const { join, holderOf } = setUp(10)
    const first = join()
    await first.queue.open()
    first.edited.add('r000')
    first.queue.next()
    first.queue.release()
    expect(holderOf('r000')).toBe(first.queue)
    expect(first.queue.leasedIds()).toEqual(['r000'])
    expect(holderOf('r003')).toBe(null)
  })

  test('are released if they arrive after the list was left, until it is opened again', async () => {
    const { join, holderOf } = setUp(10)
    const first = join()
    const opened = first.queue.open()
    first.queue.release()
    await opened
    expect([holderOf('r000'), first.queue.leasedIds()]).toEqual([null, []])
    first.queue.activate()
    await first.queue.renew()
    expect(first.queue.leasedIds()).not.toEqual([])
  })

  test('that were reassigned disappear from the upcoming records but not from the screen', async () => {
    const { join } = setUp(20)
    const first = join()
    await first.queue.open()
    first.queue.removeLost(['r000', 'r001'])
    expect(first.shown()).toBe('r000')
    await first.answer()
    expect(first.shown()).toBe('r002')
  })

  test('are requested again after others released theirs', async () => {
    const { join, holdElsewhere, releaseRecord } = setUp(1)
    holdElsewhere('r000')
    const first = join()
    await first.queue.open()
    expect(first.queue.snapshot()).toMatchObject({ phase: 'ready', item: null })
    releaseRecord('r000')
    await first.queue.open()
    expect(first.shown()).toBe('r000')
  })

  test('wait for an unreachable server, and loaded ones can be answered', async () => {
    const { join, setDown } = setUp(20)
    const first = join()
    await first.queue.open()
    setDown(true)
    const seen: string[] = []
    for (let id = await first.answer(); id !== null; id = await first.answer()) seen.push(id)
    expect(seen.length).toBeGreaterThanOrEqual(6)
    expect(first.queue.snapshot().phase).toBe('failed')
    setDown(false)
    await first.queue.open()
    expect(first.shown()).toBe(names(20)[seen.length])
  })

  test('are all shown, in any sequence of answering, skipping, sending and going back', async () => {
    const action = fc.constantFrom('answer' as const, 'next' as const, 'previous' as const, 'send' as const)
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
        const { join, done } = setUp(12)
        const first = join()
        await first.queue.open()
        const { queue } = first
        const does = { answer: first.answer, next: () => queue.next(), previous: () => queue.previous(), send: first.send }
        for (const one of actions) {
          await does[one]()
          await nextTask()
        }
        first.send()()
        if (first.shown() === null) await first.queue.open()
        for (let i = 0; i < 30 && first.shown() !== null; i++) {
          await first.answer()
          first.send()()
          await nextTask()
        }
        expect([...done].toSorted()).toEqual(names(12))
      }),
      { numRuns: 100 },
    )
  })
})
