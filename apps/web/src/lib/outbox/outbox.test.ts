import { describe, expect, test, vi } from 'vitest'
import { fleetingDevice, openDevice } from './device.ts'
import { saveCounts, wouldLose } from './outbox.ts'
import {
  answerOf,
  baseOf,
  becomes,
  createBrowser,
  database,
  openTab,
  save,
  server,
  serverIsBackOn,
  settled,
  state,
  wanted,
} from './testing/tabs.ts'
import type { Device } from './unfailing.ts'

describe('an answer', () => {
  test('is shown as saving at once and as saved when the server has it', async () => {
    const tab = await openTab()
    await tab.start('ada')
    const kept = tab.save(wanted('r1', null, save('a')))
    expect(state(tab, 'r1')).toBe('saving')
    await kept
    await settled(tab)
    expect([answerOf('r1'), state(tab, 'r1')]).toEqual(['a', 'saved'])
  })

  test('is not called kept before the device has it, and closing the tab would lose it until then', async () => {
    const device = await openDevice(database)
    let write = (): void => {}
    const disk = new Promise<void>((done) => {
      write = done
    })
    const changeLines: Device['changeLines'] = async (userId, steps, options) => {
      if (steps.has('r2')) await disk
      return device.changeLines(userId, steps, options)
    }
    const tab = await openTab(createBrowser(), Promise.resolve({ ...device, changeLines }))
    server.faults.push(...Array.from({ length: 20 }, () => 'hang up before' as const))
    await tab.start('ada')
    await tab.save(wanted('r1', null, save('a')))
    await becomes(tab, 'r1', 'kept')
    expect(wouldLose(tab.snapshot())).toBe(false)
    const kept = tab.save(wanted('r2', null, save('b')))
    await expect.poll(() => tab.snapshot().lines.size).toBe(2)
    expect([state(tab, 'r2'), wouldLose(tab.snapshot())]).toEqual(['saving', true])
    write()
    await kept
    await becomes(tab, 'r2', 'kept')
    expect(wouldLose(tab.snapshot())).toBe(false)
  })

  test('is told to whoever listens, also to one of two who listen with the same function', async () => {
    const tab = await openTab()
    await tab.start('ada')
    const changed = vi.fn()
    const confirmed = vi.fn()
    const stops = [tab.subscribe(changed), tab.onConfirmed(confirmed)]
    tab.subscribe(changed)
    tab.onConfirmed(confirmed)
    for (const stop of stops) stop()
    await tab.save(wanted('r1', null, save('a')))
    await settled(tab)
    expect(changed).toHaveBeenCalled()
    expect(confirmed).toHaveBeenCalledTimes(1)
  })

  test('that the browser does not keep would be lost until the server has it', async () => {
    const tab = await openTab(createBrowser(), Promise.resolve(fleetingDevice()))
    server.faults.push('hang up before')
    await tab.start('ada')
    await tab.save(wanted('r1', null, save('a')))
    expect(wouldLose(tab.snapshot())).toBe(true)
    tab.wake()
    await settled(tab)
    expect(wouldLose(tab.snapshot())).toBe(false)
  })

  test('one of many is written to the device, and sent, with no more than nine others', async () => {
    const device = await openDevice(database)
    const sizes: number[] = []
    const changeLines: Device['changeLines'] = (userId, steps, options) => {
      sizes.push(steps.size)
      return device.changeLines(userId, steps, options)
    }
    const tab = await openTab(createBrowser(), Promise.resolve({ ...device, changeLines }))
    const records = Array.from({ length: 25 }, (_, i) => `m${i}`)
    server.faults.push(...Array.from({ length: 20 }, () => 'hang up before' as const))
    await tab.start('ada')
    await Promise.all(records.map((id) => tab.save(wanted(id, null, save('a')))))
    server.faults.length = 0
    expect(saveCounts(tab.snapshot(), records).saved).toBe(0)
    sizes.length = 0
    tab.wake()
    await settled(tab)
    expect(Math.max(...sizes)).toBe(10)
    expect(records.map((id) => answerOf(id))).toEqual(records.map(() => 'a'))
    const none = { saved: 0, saving: 0, kept: 0, refused: 0, conflict: 0 }
    expect(saveCounts(tab.snapshot(), records)).toEqual({ ...none, saved: 25 })
    expect(saveCounts(tab.snapshot(), [])).toEqual(none)
  })

  test('tells what the server made of it', async () => {
    const tab = await openTab()
    const told: unknown[] = []
    tab.onConfirmed(({ recordId, standing }) => told.push([recordId, standing?.version]))
    await tab.start('ada')
    await tab.save(wanted('r1', null, save('a')))
    await settled(tab)
    await tab.save(wanted('r1', baseOf('r1'), { kind: 'remove' }))
    await settled(tab)
    expect(told).toEqual([
      ['r1', 1],
      ['r1', undefined],
    ])
    expect(server.answers.size).toBe(0)
  })

  test.each(['hang up before', 'hang up after'] as const)('is there once after: %s', async (fault) => {
    server.faults.push(fault)
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(wanted('r1', null, save('a')))
    await becomes(tab, 'r1', 'kept')
    await settled(tab)
    expect([answerOf('r1'), server.writes()]).toEqual(['a', 1])
  })

  test.each([500, 502, 503, 429, 408])('waits and is sent again after status %i', async (status) => {
    server.faults.push({ status, ...(status === 503 && { retryAfter: 1 }) })
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(wanted('r1', null, save('a')))
    await becomes(tab, 'r1', 'kept')
    tab.wake()
    await settled(tab)
    expect(answerOf('r1')).toBe('a')
  })

  test('is not held up by another one that breaks the server', async () => {
    const tab = await openTab()
    server.faults.push({ status: 500 })
    await tab.start('ada')
    await Promise.all([tab.save(wanted('bad', null, save('a'))), tab.save(wanted('good', null, save('b')))])
    await expect.poll(() => answerOf('good')).toBe('b')
    await settled(tab)
    expect(answerOf('bad')).toBe('a')
  })

  test('that is taken back is gone once, also when the reply gets lost', async () => {
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(wanted('r1', null, save('a')))
    await settled(tab)
    server.faults.push('hang up after')
    await tab.save(wanted('r1', baseOf('r1'), { kind: 'remove' }))
    await becomes(tab, 'r1', 'kept')
    tab.wake()
    await settled(tab)
    expect([server.answers.size, server.writes()]).toEqual([0, 2])
  })

  test.each([400, 403, 404, 413, 422])('that is refused with %i stays, with the reason', async (status) => {
    server.faults.push({ status, body: { detail: 'This will not do' } })
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(wanted('r1', null, save('a')))
    await becomes(tab, 'r1', 'refused')
    expect(tab.snapshot().lines.get('r1')?.trouble).toEqual({ kind: 'refused', status, reason: 'This will not do' })
    await tab.save(wanted('r1', null, save('better')))
    await settled(tab)
    expect(answerOf('r1')).toBe('better')
  })

  test('survives the end of the tab without a server, and a new tab sends it', async () => {
    const { port } = server
    await server.close()
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(wanted('r1', null, save('a')))
    await tab.save(wanted('r2', null, save('b', 'discarded')))
    await becomes(tab, 'r1', 'kept')
    tab.stop()
    const next = await openTab()
    expect(await next.unsentCounts('ada')).toEqual({ waiting: 2, troubled: 0 })
    await next.start('ada')
    expect(next.snapshot().lines.size).toBe(2)
    await serverIsBackOn(port)
    next.wake()
    await settled(next)
    expect([answerOf('r1'), answerOf('r2'), server.answers.get('r2')?.status]).toEqual(['a', 'b', 'discarded'])
  })

  test('keeps its order with the ones before and after it', async () => {
    const tab = await openTab()
    server.faults.push('hang up after')
    await tab.start('ada')
    await tab.save(wanted('r1', null, save('a', 'draft')))
    await becomes(tab, 'r1', 'kept')
    await tab.save(wanted('r1', null, save('b')))
    await settled(tab)
    expect([answerOf('r1'), server.answers.get('r1')?.status, server.answers.get('r1')?.version]).toEqual(['b', 'submitted', 2])
  })

  test('made while the one before is being confirmed is built upon that one', async () => {
    const device = await openDevice(database)
    let release = (): void => {}
    let held: Promise<void> = Promise.resolve()
    const slow = {
      ...device,
      changeLines: async (...args: Parameters<typeof device.changeLines>) => {
        // What is given here: what was sent names the edits that were made of it.
        if (args[2]?.length === 0) await held
        return device.changeLines(...args)
      },
    }
    const tab = await openTab(createBrowser(), Promise.resolve(slow))
    await tab.start('ada')
    await tab.save(wanted('r1', null, save('a', 'draft')))
    held = new Promise((resolve) => {
      release = resolve
    })
    const second = tab.save(wanted('r1', null, save('b')))
    await expect.poll(() => answerOf('r1')).toBe('a')
    await expect.poll(() => tab.unsentCounts('ada')).toEqual({ waiting: 0, troubled: 0 })
    release()
    await second
    await settled(tab)
    expect([answerOf('r1'), server.answers.get('r1')?.version]).toEqual(['b', 2])
  })

  test('that was changed elsewhere shows both, and the person picks', async () => {
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(wanted('r1', null, save('first')))
    await settled(tab)
    const base = baseOf('r1')
    server.answers.set('r1', { ...server.answers.get('r1')!, version: 2, values: { q: { value: 'elsewhere' } } })
    await tab.save(wanted('r1', base, save('mine')))
    await becomes(tab, 'r1', 'conflict')
    expect(tab.snapshot().lines.get('r1')?.trouble).toMatchObject({
      kind: 'conflict',
      standing: { values: { q: { value: 'elsewhere' } } },
    })
    expect(answerOf('r1')).toBe('elsewhere')
    await tab.keepMine('r1')
    await settled(tab)
    expect([answerOf('r1'), server.answers.get('r1')?.version]).toEqual(['mine', 3])
  })

  test('that was changed elsewhere can be given up', async () => {
    const tab = await openTab()
    await tab.start('ada')
    server.answers.set('r1', {
      id: 'x',
      record_id: 'r1',
      user_id: 'ada',
      version: 7,
      status: 'draft',
      values: {},
      last_mutation_id: '',
      inserted_at: '',
      updated_at: '',
    })
    await tab.save(wanted('r1', null, save('mine')))
    await becomes(tab, 'r1', 'conflict')
    const given: string[] = []
    // While its line is there: who counts answers would count it as taken otherwise.
    const stop = tab.onGivenUp((id) => given.push(`${id} ${saveCounts(tab.snapshot(), [id]).conflict}`))
    await tab.giveUp('r1')
    stop()
    await settled(tab)
    expect(given).toEqual(['r1 1'])
    expect(server.answers.get('r1')?.version).toBe(7)
  })
})
