import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { names, settled, setUp } from './testing/handed-out.ts'
import { standingOf } from './testing/record.ts'

describe('records that are handed out', () => {
  test('come one after the other, each once, and what is left is told', async () => {
    const { join } = setUp(20)
    const ann = join()
    await ann.queue.open()
    const seen: (string | null)[] = []
    for (let i = 0; i < 20; i++) {
      expect(ann.queue.snapshot().total).toBe(20 - i)
      seen.push(await ann.answer())
      if (i % 3 === 0) ann.send()()
    }
    expect(seen).toEqual(names(20))
    expect(ann.queue.snapshot()).toMatchObject({ phase: 'ready', item: null, total: 0 })
  })

  test('are counted once, whenever the answer to one of them arrives', async () => {
    const { join, meanwhile } = setUp(20)
    const ann = join()
    await ann.queue.open()
    meanwhile(async () => ann.send()())
    for (let i = 0; i < 12; i++) {
      await ann.answer()
      await settled()
      expect(ann.queue.snapshot().total).toBe(19 - i)
    }
  })

  test.each([
    { case: 'while they are on their way', isBefore: false },
    { case: 'after they were asked for, before their list was there', isBefore: true },
  ])('are not shown again when an answer of the last visit is taken $case', async ({ isBefore }) => {
    const { join, done, meanwhile } = setUp(20)
    const { queue, shown } = join()
    const confirm = async () => queue.confirm('r000', standingOf('r000'))
    if (isBefore) await confirm()
    else meanwhile(confirm)
    await queue.open()
    done.add('r000')
    expect(shown()).toBe('r001')
    expect(queue.snapshot().total).toBe(19)
  })

  test('are counted once, also where the server has an answer before that is known here', async () => {
    const { join } = setUp(20)
    const ann = join()
    await ann.queue.open()
    const told: (() => void)[] = []
    for (let i = 0; i < 12; i++) {
      await ann.answer()
      if (i % 2 === 0) told.push(ann.send())
      await settled()
      expect(ann.queue.snapshot().total).toBe(19 - i)
      if (i % 5 === 4) for (const tell of told.splice(0)) tell()
      expect(ann.queue.snapshot().total).toBe(19 - i)
    }
  })

  test('are counted anew where an answer to another record arrives while they are on their way', async () => {
    const { join, done, meanwhile } = setUp(20)
    const { queue } = join()
    meanwhile(async () => {
      meanwhile(null)
      done.add('r019')
      queue.confirm('r019', standingOf('r019'))
    })
    await queue.open()
    await expect.poll(() => queue.snapshot().total).toBe(19)
  })

  test('are counted anew on return where an answer to another record arrived and the server could not be asked', async () => {
    const { join, done, goDown } = setUp(20)
    const { queue } = join()
    await queue.open()
    queue.release()
    done.add('r019')
    goDown(true)
    queue.confirm('r019', standingOf('r019'))
    await settled()
    goDown(false)
    queue.keep()
    await queue.open()
    await expect.poll(() => queue.snapshot().total).toBe(19)
  })

  test('are never with two at a time, and are all answered', async () => {
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

  test('are shared where few are left: who comes finds one while others only hold them', async () => {
    const { join, done, holderOf } = setUp(6)
    const team = [join(), join(), join()]
    for (const { queue } of team) await queue.open()
    expect(team.map(({ shown }) => shown())).toEqual(['r000', 'r002', 'r004'])
    expect(team.map(({ queue }) => queue.inHand().length)).toEqual([2, 2, 2])
    for (let i = 0; i < 6 && done.size < 6; i++) {
      for (const one of team) {
        await one.answer()
        one.send()()
        await settled()
      }
    }
    expect([...done].toSorted()).toEqual(names(6))
    const late = join()
    await late.queue.open()
    expect([late.shown(), holderOf('r000')]).toEqual([null, null])
  })

  test('are had alone, one with the next, down to the last, and passed over by the way', async () => {
    const { join } = setUp(6)
    const { queue, answer, send, shown } = join()
    await queue.open()
    queue.next()
    await settled()
    const seen: (string | null)[] = []
    for (let i = 0; i < 6; i++) {
      expect(queue.snapshot().total).toBe(6 - i)
      expect(queue.inHand().length).toBeLessThanOrEqual(2)
      seen.push(await answer())
      send()()
      await settled()
    }
    expect([seen.toSorted(), shown()]).toEqual([names(6), null])
  })

  test('that are passed over are given back, and come again at the end where nobody took them', async () => {
    const { join, holderOf, holdElsewhere } = setUp(8)
    const ann = join()
    await ann.queue.open()
    ann.queue.next()
    ann.queue.next()
    await settled()
    expect([holderOf('r000'), holderOf('r001'), ann.shown()]).toEqual([null, null, 'r002'])
    holdElsewhere('r001')
    const seen: (string | null)[] = []
    for (let i = 0; i < 7; i++) seen.push(await ann.answer())
    expect(seen).toEqual(['r002', 'r003', 'r004', 'r005', 'r006', 'r007', 'r000'])
    expect(ann.shown()).toBe(null)
  })

  test('that were passed over can be gone back to', async () => {
    const { join } = setUp(3)
    const ann = join()
    await ann.queue.open()
    ann.queue.next()
    expect(ann.queue.snapshot()).toMatchObject({ position: 2, hasPrevious: true })
    await ann.queue.previous()
    expect(ann.shown()).toBe('r000')
    expect(await ann.answer()).toBe('r000')
  })

  test('stay in hand when they are edited', async () => {
    const { join, holderOf } = setUp(10)
    const ann = join()
    await ann.queue.open()
    ann.edited.add('r000')
    ann.queue.next()
    ann.queue.release()
    expect(holderOf('r000')).toBe(ann.queue)
    expect(ann.queue.inHand()).toEqual(['r000'])
    expect(holderOf('r003')).toBe(null)
  })

  test('that come when nobody looks at the list any more are given back, until somebody does again', async () => {
    const { join, holderOf } = setUp(10)
    const ann = join()
    const opened = ann.queue.open()
    ann.queue.release()
    await opened
    expect([holderOf('r000'), ann.queue.inHand()]).toEqual([null, []])
    ann.queue.keep()
    await ann.queue.renew()
    expect(ann.queue.inHand()).not.toEqual([])
  })

  test('that somebody else has meanwhile go from what lies ahead, not from the screen', async () => {
    const { join } = setUp(20)
    const ann = join()
    await ann.queue.open()
    ann.queue.lose(['r000', 'r001'])
    expect(ann.shown()).toBe('r000')
    await ann.answer()
    expect(ann.shown()).toBe('r002')
  })

  test('are looked for again when others have given theirs back', async () => {
    const { join, holdElsewhere, letGo } = setUp(1)
    holdElsewhere('r000')
    const ann = join()
    await ann.queue.open()
    expect(ann.queue.snapshot()).toMatchObject({ phase: 'ready', item: null })
    letGo('r000')
    await ann.queue.open()
    expect(ann.shown()).toBe('r000')
  })

  test('wait for a server that is not there, and those that are known can be answered', async () => {
    const { join, goDown } = setUp(20)
    const ann = join()
    await ann.queue.open()
    goDown(true)
    const seen: string[] = []
    for (let id = await ann.answer(); id !== null; id = await ann.answer()) seen.push(id)
    expect(seen.length).toBeGreaterThanOrEqual(6)
    expect(ann.queue.snapshot().phase).toBe('failed')
    goDown(false)
    await ann.queue.open()
    expect(ann.shown()).toBe(names(20)[seen.length])
  })

  test('are all shown, whatever is answered, passed over, sent or gone back to', async () => {
    const deed = fc.constantFrom('answer' as const, 'next' as const, 'previous' as const, 'send' as const)
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 60 }), async (deeds) => {
        const { join, done } = setUp(12)
        const ann = join()
        await ann.queue.open()
        const does = { answer: ann.answer, next: ann.queue.next, previous: ann.queue.previous, send: ann.send }
        for (const one of deeds) {
          await does[one]()
          await settled()
        }
        ann.send()()
        if (ann.shown() === null) await ann.queue.open()
        for (let i = 0; i < 30 && ann.shown() !== null; i++) {
          await ann.answer()
          ann.send()()
          await settled()
        }
        expect([...done].toSorted()).toEqual(names(12))
      }),
      { numRuns: 100 },
    )
  })
})
