import { describe, expect, test, vi } from 'vitest'
import { createInMemoryDevice, openDevice } from './device.ts'
import { saveCounts, wouldLoseAnswers } from './outbox.ts'
import {
  answerOf,
  baseOf,
  createBrowser,
  database,
  expectState,
  mutationInput,
  openTab,
  restartServerOn,
  save,
  server,
  settled,
  state,
} from './testing/tabs.ts'
import type { Device } from './with-memory-fallback.ts'

describe('an answer', () => {
  test('is shown as saving immediately, and as saved once the server has it', async () => {
    const tab = await openTab()
    await tab.start('ada')
    const saving = tab.save(mutationInput('r1', null, save('a')))
    expect(state(tab, 'r1')).toBe('saving')
    await saving
    await settled(tab)
    expect([answerOf('r1'), state(tab, 'r1')]).toEqual(['a', 'saved'])
  })

  test('counts as stored only once the device has it, and until then closing the tab would lose it', async () => {
    const device = await openDevice(database)
    let write = (): void => {}
    const disk = new Promise<void>((done) => {
      write = done
    })
    const updateLines: Device['updateLines'] = async (userId, steps, options) => {
      if (steps.has('r2')) await disk
      return device.updateLines(userId, steps, options)
    }
    const tab = await openTab(createBrowser(), Promise.resolve({ ...device, updateLines }))
    server.faults.push(...Array.from({ length: 20 }, () => 'hang up before' as const))
    await tab.start('ada')
    await tab.save(mutationInput('r1', null, save('a')))
    await expectState(tab, 'r1', 'kept')
    expect(wouldLoseAnswers(tab.snapshot())).toBe(false)
    const saving = tab.save(mutationInput('r2', null, save('b')))
    await expect.poll(() => tab.snapshot().lines.size).toBe(2)
    expect([state(tab, 'r2'), wouldLoseAnswers(tab.snapshot())]).toEqual(['saving', true])
    write()
    await saving
    await expectState(tab, 'r2', 'kept')
    expect(wouldLoseAnswers(tab.snapshot())).toBe(false)
  })

  test('notifies each subscriber, even if one of two with the same function unsubscribes', async () => {
    const tab = await openTab()
    await tab.start('ada')
    const changed = vi.fn()
    const confirmed = vi.fn()
    const stops = [tab.subscribe(changed), tab.onConfirmed(confirmed)]
    tab.subscribe(changed)
    tab.onConfirmed(confirmed)
    for (const stop of stops) stop()
    await tab.save(mutationInput('r1', null, save('a')))
    await settled(tab)
    expect(changed).toHaveBeenCalled()
    expect(confirmed).toHaveBeenCalledTimes(1)
  })

  test("would be lost until it is sent if the browser can't store it", async () => {
    const tab = await openTab(createBrowser(), Promise.resolve(createInMemoryDevice()))
    server.faults.push('hang up before')
    await tab.start('ada')
    await tab.save(mutationInput('r1', null, save('a')))
    expect(wouldLoseAnswers(tab.snapshot())).toBe(true)
    tab.wake()
    await settled(tab)
    expect(wouldLoseAnswers(tab.snapshot())).toBe(false)
  })

  test('is stored and sent in batches of at most ten', async () => {
    const device = await openDevice(database)
    const sizes: number[] = []
    const updateLines: Device['updateLines'] = (userId, steps, options) => {
      sizes.push(steps.size)
      return device.updateLines(userId, steps, options)
    }
    const tab = await openTab(createBrowser(), Promise.resolve({ ...device, updateLines }))
    const records = Array.from({ length: 25 }, (_, i) => `m${i}`)
    server.faults.push(...Array.from({ length: 20 }, () => 'hang up before' as const))
    await tab.start('ada')
    await Promise.all(records.map((id) => tab.save(mutationInput(id, null, save('a')))))
    server.faults.length = 0
    expect(saveCounts(tab.snapshot(), records).saved).toBe(0)
    sizes.length = 0
    tab.wake()
    await settled(tab)
    expect(Math.max(...sizes)).toBe(10)
    expect(records.map((id) => answerOf(id))).toEqual(records.map(() => 'a'))
    const none = { saved: 0, saving: 0, kept: 0, rejected: 0, conflict: 0 }
    expect(saveCounts(tab.snapshot(), records)).toEqual({ ...none, saved: 25 })
    expect(saveCounts(tab.snapshot(), [])).toEqual(none)
  })

  test("reports the server's result", async () => {
    const tab = await openTab()
    const notified: unknown[] = []
    tab.onConfirmed(({ recordId, standing }) => notified.push([recordId, standing?.version]))
    await tab.start('ada')
    await tab.save(mutationInput('r1', null, save('a')))
    await settled(tab)
    await tab.save(mutationInput('r1', baseOf('r1'), { kind: 'remove' }))
    await settled(tab)
    expect(notified).toEqual([
      ['r1', 1],
      ['r1', undefined],
    ])
    expect(server.answers.size).toBe(0)
  })

  test.each(['hang up before', 'hang up after'] as const)('is stored once after: %s', async (fault) => {
    server.faults.push(fault)
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(mutationInput('r1', null, save('a')))
    await expectState(tab, 'r1', 'kept')
    await settled(tab)
    expect([answerOf('r1'), server.writes()]).toEqual(['a', 1])
  })

  test.each([500, 502, 503, 429, 408])('waits and is resent after status %i', async (status) => {
    server.faults.push({ status, ...(status === 503 && { retryAfter: 1 }) })
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(mutationInput('r1', null, save('a')))
    await expectState(tab, 'r1', 'kept')
    tab.wake()
    await settled(tab)
    expect(answerOf('r1')).toBe('a')
  })

  test('is not blocked by another answer that makes the server fail', async () => {
    const tab = await openTab()
    server.faults.push({ status: 500 })
    await tab.start('ada')
    await Promise.all([tab.save(mutationInput('bad', null, save('a'))), tab.save(mutationInput('good', null, save('b')))])
    await expect.poll(() => answerOf('good')).toBe('b')
    await settled(tab)
    expect(answerOf('bad')).toBe('a')
  })

  test('is removed once when it is undone, even if the response is lost', async () => {
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(mutationInput('r1', null, save('a')))
    await settled(tab)
    server.faults.push('hang up after')
    await tab.save(mutationInput('r1', baseOf('r1'), { kind: 'remove' }))
    await expectState(tab, 'r1', 'kept')
    tab.wake()
    await settled(tab)
    expect([server.answers.size, server.writes()]).toEqual([0, 2])
  })

  test.each([400, 403, 404, 413, 422])('that is refused with %i stays with the reason', async (status) => {
    server.faults.push({ status, body: { detail: 'This will not do' } })
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(mutationInput('r1', null, save('a')))
    await expectState(tab, 'r1', 'rejected')
    expect(tab.snapshot().lines.get('r1')?.issue).toEqual({ kind: 'rejected', status, reason: 'This will not do' })
    await tab.save(mutationInput('r1', null, save('better')))
    await settled(tab)
    expect(answerOf('r1')).toBe('better')
  })

  test('survives closing the tab without a server, and is sent by a new tab', async () => {
    const { port } = server
    await server.close()
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(mutationInput('r1', null, save('a')))
    await tab.save(mutationInput('r2', null, save('b', 'discarded')))
    await expectState(tab, 'r1', 'kept')
    tab.stop()
    const next = await openTab()
    expect(await next.unsentCounts('ada')).toEqual({ waiting: 2, issues: 0 })
    await next.start('ada')
    expect(next.snapshot().lines.size).toBe(2)
    await restartServerOn(port)
    next.wake()
    await settled(next)
    expect([answerOf('r1'), answerOf('r2'), server.answers.get('r2')?.status]).toEqual(['a', 'b', 'discarded'])
  })

  test('keeps its order relative to earlier and later answers', async () => {
    const tab = await openTab()
    server.faults.push('hang up after')
    await tab.start('ada')
    await tab.save(mutationInput('r1', null, save('a', 'draft')))
    await expectState(tab, 'r1', 'kept')
    await tab.save(mutationInput('r1', null, save('b')))
    await settled(tab)
    expect([answerOf('r1'), server.answers.get('r1')?.status, server.answers.get('r1')?.version]).toEqual(['b', 'submitted', 2])
  })

  test('made while the previous one is being confirmed is based on that one', async () => {
    const device = await openDevice(database)
    let release = (): void => {}
    let held: Promise<void> = Promise.resolve()
    const slow = {
      ...device,
      updateLines: async (...args: Parameters<typeof device.updateLines>) => {
        // Delays only the write of a new answer. In this test, no other write has an empty list of edits (the third argument).
        if (args[2]?.length === 0) await held
        return device.updateLines(...args)
      },
    }
    const tab = await openTab(createBrowser(), Promise.resolve(slow))
    await tab.start('ada')
    await tab.save(mutationInput('r1', null, save('a', 'draft')))
    held = new Promise((resolve) => {
      release = resolve
    })
    const second = tab.save(mutationInput('r1', null, save('b')))
    await expect.poll(() => answerOf('r1')).toBe('a')
    await expect.poll(() => tab.unsentCounts('ada')).toEqual({ waiting: 0, issues: 0 })
    release()
    await second
    await settled(tab)
    expect([answerOf('r1'), server.answers.get('r1')?.version]).toEqual(['b', 2])
  })

  test('with a conflict shows both versions, and the person chooses', async () => {
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(mutationInput('r1', null, save('first')))
    await settled(tab)
    const base = baseOf('r1')
    server.answers.set('r1', { ...server.answers.get('r1')!, version: 2, values: { q: { value: 'elsewhere' } } })
    await tab.save(mutationInput('r1', base, save('mine')))
    await expectState(tab, 'r1', 'conflict')
    expect(tab.snapshot().lines.get('r1')?.issue).toMatchObject({
      kind: 'conflict',
      standing: { values: { q: { value: 'elsewhere' } } },
    })
    expect(answerOf('r1')).toBe('elsewhere')
    await tab.keepMine('r1')
    await settled(tab)
    expect([answerOf('r1'), server.answers.get('r1')?.version]).toEqual(['mine', 3])
  })

  test('with a conflict can be discarded', async () => {
    const tab = await openTab()
    await tab.start('ada')
    server.answers.set('r1', {
      id: 'x',
      record_id: 'r1',
      user_id: 'ada',
      version: 7,
      status: 'draft',
      values: {},
      suggestion_outcomes: null,
      returned: null,
      last_mutation_id: '',
      inserted_at: '',
      updated_at: '',
    })
    await tab.save(mutationInput('r1', null, save('mine')))
    await expectState(tab, 'r1', 'conflict')
    const given: string[] = []
    // The listener must run before the line is removed. Without the line, the answer would be counted as saved.
    const stop = tab.onDropped((id) => given.push(`${id} ${saveCounts(tab.snapshot(), [id]).conflict}`))
    await tab.drop('r1')
    stop()
    await settled(tab)
    expect(given).toEqual(['r1 1'])
    expect(server.answers.get('r1')?.version).toBe(7)
  })
})
