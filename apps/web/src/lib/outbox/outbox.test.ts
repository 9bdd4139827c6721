import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fleetingDevice, openDevice } from './device.ts'
import type { Channel, Outbox } from './outbox.ts'
import { createOutbox, saveStateOf } from './outbox.ts'
import type { AnswerServer } from './testing/answer-server.ts'
import { startAnswerServer } from './testing/answer-server.ts'
import type { Base, Change } from './types.ts'

let server: AnswerServer
let databases = 0
let database = ''
let opened: Outbox[] = []

const { fetch: realFetch } = globalThis

/** Several tabs of one browser share a lock and a channel, as they share the database. */
const createBrowser = () => {
  let last: Promise<void> = Promise.resolve()
  const listeners = new Set<{ of: object; listener: (message: unknown) => void }>()
  const alone = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work, work)
    return last
  }
  const channel = (): Channel => {
    const of = {}
    return {
      post: (message) => {
        for (const other of listeners) if (other.of !== of) other.listener(structuredClone(message))
      },
      listen: (listener) => listeners.add({ of, listener }),
    }
  }
  return { alone, channel }
}

const openTab = async (browser = createBrowser(), device = openDevice(database)): Promise<Outbox> => {
  const { httpTransport } = await import('./http-transport.ts')
  const tab = createOutbox({ device, transport: httpTransport, alone: browser.alone, channel: browser.channel() })
  opened.push(tab)
  return tab
}

const save = (value: string, status: 'draft' | 'submitted' | 'discarded' = 'submitted'): Change => ({
  kind: 'save',
  status,
  values: { q: { value } },
})
const at = (recordId: string) => ({ datasetId: 'd', recordId })
const answerOf = (recordId: string) => server.answers.get(recordId)?.values['q']?.value
const settled = (tab: Outbox) => vi.waitFor(() => expect(tab.snapshot().lines.size).toBe(0), { timeout: 8000, interval: 10 })
const state = (tab: Outbox, recordId: string) => saveStateOf(tab.snapshot(), recordId)
const becomes = (tab: Outbox, recordId: string, wanted: string) =>
  vi.waitFor(() => expect(state(tab, recordId)).toBe(wanted), { timeout: 8000, interval: 10 })
const baseOf = (recordId: string): Base => server.answers.get(recordId)?.version ?? null

beforeEach(async () => {
  server = await startAnswerServer()
  database = `outbox-${++databases}`
  opened = []
  vi.stubGlobal('document', { baseURI: `${server.origin}/`, cookie: '' })
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => realFetch(new URL(url, server.origin), init))
})
afterEach(async () => {
  for (const tab of opened) tab.stop()
  vi.unstubAllGlobals()
  await server.close()
})

describe('an answer', () => {
  test('is shown as saving at once and as saved when the server has it', async () => {
    const tab = await openTab()
    await tab.start('ada')
    const kept = tab.save(at('r1'), null, save('a'))
    expect(state(tab, 'r1')).toBe('saving')
    await kept
    await settled(tab)
    expect([answerOf('r1'), state(tab, 'r1')]).toEqual(['a', 'saved'])
  })

  test('tells what the server made of it', async () => {
    const tab = await openTab()
    const told: unknown[] = []
    tab.onConfirmed(({ recordId, standing }) => told.push([recordId, standing?.version]))
    await tab.start('ada')
    await tab.save(at('r1'), null, save('a'))
    await settled(tab)
    await tab.save(at('r1'), baseOf('r1'), { kind: 'remove' })
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
    await tab.save(at('r1'), null, save('a'))
    await becomes(tab, 'r1', 'kept')
    await settled(tab)
    expect([answerOf('r1'), server.writes()]).toEqual(['a', 1])
  })

  test.each([500, 502, 503, 429, 408])('waits and is sent again after status %i', async (status) => {
    server.faults.push({ status, ...(status === 503 && { retryAfter: 1 }) })
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(at('r1'), null, save('a'))
    await becomes(tab, 'r1', 'kept')
    tab.wake()
    await settled(tab)
    expect(answerOf('r1')).toBe('a')
  })

  test('is not held up by another one that breaks the server', async () => {
    const tab = await openTab()
    server.faults.push({ status: 500 })
    await tab.start('ada')
    await Promise.all([tab.save(at('bad'), null, save('a')), tab.save(at('good'), null, save('b'))])
    await vi.waitFor(() => expect(answerOf('good')).toBe('b'))
    await settled(tab)
    expect(answerOf('bad')).toBe('a')
  })

  test('that is taken back is gone once, also when the reply gets lost', async () => {
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(at('r1'), null, save('a'))
    await settled(tab)
    server.faults.push('hang up after')
    await tab.save(at('r1'), baseOf('r1'), { kind: 'remove' })
    await becomes(tab, 'r1', 'kept')
    tab.wake()
    await settled(tab)
    expect([server.answers.size, server.writes()]).toEqual([0, 2])
  })

  test.each([400, 403, 404, 413, 422])('that is refused with %i stays, with the reason', async (status) => {
    server.faults.push({ status, body: { detail: 'This will not do' } })
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(at('r1'), null, save('a'))
    await becomes(tab, 'r1', 'refused')
    expect(tab.snapshot().lines.get('r1')?.trouble).toEqual({ kind: 'refused', status, reason: 'This will not do' })
    await tab.save(at('r1'), null, save('better'))
    await settled(tab)
    expect(answerOf('r1')).toBe('better')
  })

  test('survives the end of the tab without a server, and a new tab sends it', async () => {
    const { port } = server
    await server.close()
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(at('r1'), null, save('a'))
    await tab.save(at('r2'), null, save('b', 'discarded'))
    await becomes(tab, 'r1', 'kept')
    tab.stop()
    const next = await openTab()
    expect(await next.pendingCount('ada')).toBe(2)
    await next.start('ada')
    expect(next.snapshot().lines.size).toBe(2)
    server = await startAnswerServer(port)
    next.wake()
    await settled(next)
    expect([answerOf('r1'), answerOf('r2'), server.answers.get('r2')?.status]).toEqual(['a', 'b', 'discarded'])
  })

  test('keeps its order with the ones before and after it', async () => {
    const tab = await openTab()
    server.faults.push('hang up after')
    await tab.start('ada')
    await tab.save(at('r1'), null, save('a', 'draft'))
    await becomes(tab, 'r1', 'kept')
    await tab.save(at('r1'), null, save('b'))
    await settled(tab)
    expect([answerOf('r1'), server.answers.get('r1')?.status, server.answers.get('r1')?.version]).toEqual(['b', 'submitted', 2])
  })

  test('made while the one before is being confirmed is built upon that one', async () => {
    const device = await openDevice(database)
    let release = (): void => {}
    let held: Promise<void> = Promise.resolve()
    const slow = {
      ...device,
      changeLine: async (...args: Parameters<typeof device.changeLine>) => {
        if (args[3]?.dropDraft) await held
        return device.changeLine(...args)
      },
    }
    const tab = await openTab(createBrowser(), Promise.resolve(slow))
    await tab.start('ada')
    await tab.save(at('r1'), null, save('a', 'draft'))
    held = new Promise((resolve) => {
      release = resolve
    })
    const second = tab.save(at('r1'), null, save('b'))
    await vi.waitFor(() => expect(answerOf('r1')).toBe('a'))
    await vi.waitFor(async () => expect(await tab.pendingCount('ada')).toBe(0))
    release()
    await second
    await settled(tab)
    expect([answerOf('r1'), server.answers.get('r1')?.version]).toEqual(['b', 2])
  })

  test('that was changed elsewhere shows both, and the person picks', async () => {
    const tab = await openTab()
    await tab.start('ada')
    await tab.save(at('r1'), null, save('first'))
    await settled(tab)
    const base = baseOf('r1')
    server.answers.set('r1', { ...server.answers.get('r1')!, version: 2, values: { q: { value: 'elsewhere' } } })
    await tab.save(at('r1'), base, save('mine'))
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
    await tab.save(at('r1'), null, save('mine'))
    await becomes(tab, 'r1', 'conflict')
    await tab.giveUp('r1')
    await settled(tab)
    expect(server.answers.get('r1')?.version).toBe(7)
  })
})

describe('a user', () => {
  test('whose session ended gets their answers sent after signing in again', async () => {
    const tab = await openTab()
    await tab.start('ada')
    server.signIn(null)
    await tab.save(at('r1'), null, save('a'))
    await vi.waitFor(() => expect(tab.snapshot().sender).toBe('signed_out'))
    expect(await tab.pendingCount('ada')).toBe(1)
    server.signIn('ada')
    await tab.start('ada')
    await settled(tab)
    expect(answerOf('r1')).toBe('a')
  })

  test('never gets the answers of another one', async () => {
    const tab = await openTab()
    await tab.start('ada')
    server.signIn(null)
    await tab.save(at('r1'), null, save('a'))
    await vi.waitFor(() => expect(tab.snapshot().sender).toBe('signed_out'))
    tab.stop()
    server.signIn('ben')
    await tab.start('ben')
    await tab.save(at('r2'), null, save('b'))
    await settled(tab)
    expect([...server.answers.keys()]).toEqual(['r2'])
    expect(await tab.pendingCount('ada')).toBe(1)
  })

  test('who signs in from another tab does not send what this one has', async () => {
    const tab = await openTab()
    await tab.start('ada')
    server.signIn('ben')
    await tab.save(at('r1'), null, save('a'))
    await vi.waitFor(() => expect(tab.snapshot().sender).toBe('signed_out'))
    expect(server.answers.size).toBe(0)
  })
})

describe('two tabs', () => {
  test('send each answer once and both know', async () => {
    const browser = createBrowser()
    const [a, b] = await Promise.all([openTab(browser), openTab(browser)])
    const told: string[] = []
    b.onConfirmed(({ recordId }) => told.push(recordId))
    await Promise.all([a.start('ada'), b.start('ada')])
    await Promise.all(Array.from({ length: 20 }, (_, i) => a.save(at(`r${i}`), null, save(`${i}`))))
    await Promise.all([settled(a), settled(b)])
    expect([server.answers.size, server.writes(), told.length]).toEqual([20, 20, 20])
  })

  test('without locks repeat harmlessly', async () => {
    const browser = { ...createBrowser(), alone: (work: () => Promise<void>) => work() }
    const [a, b] = await Promise.all([openTab(browser), openTab(browser)])
    await Promise.all([a.start('ada'), b.start('ada')])
    await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? a : b).save(at(`r${i}`), null, save(`${i}`))))
    a.wake()
    b.wake()
    await Promise.all([settled(a), settled(b)])
    expect([server.answers.size, server.writes()]).toEqual([10, 10])
  })
})

test('a browser without storage still sends, and says that nothing is kept', async () => {
  const tab = await openTab(createBrowser(), Promise.resolve(fleetingDevice()))
  await tab.start('ada')
  await tab.save(at('r1'), null, save('a'))
  expect(tab.snapshot().isLasting).toBe(false)
  await settled(tab)
  expect(answerOf('r1')).toBe('a')
})
