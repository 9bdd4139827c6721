import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { openDevice } from '../device.ts'
import type { Channel, Outbox } from '../outbox.ts'
import { createOutbox, saveStateOf } from '../outbox.ts'
import type { BaseVersion, Change } from '../types.ts'
import type { AnswerServer } from './answer-server.ts'
import { startAnswerServer } from './answer-server.ts'

/** The current test's server. */
export let server: AnswerServer
export const restartServerOn = async (port: number): Promise<void> => {
  server = await startAnswerServer(port)
}
let databases = 0
/** The database in which the current test's tabs store their answers. */
export let database = ''
let opened: Outbox[] = []

const { fetch: realFetch } = globalThis

/** Creates a browser whose tabs share a lock, a channel and the database. */
export const createBrowser = () => {
  let last: Promise<void> = Promise.resolve()
  const listeners = new Set<{ owner: object; listener: (message: unknown) => void }>()
  const runExclusively = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work, work)
    return last
  }
  const channel = (): Channel => {
    const owner = {}
    return {
      post: (message) => {
        for (const other of listeners) if (other.owner !== owner) other.listener(structuredClone(message))
      },
      listen: (listener) => listeners.add({ owner, listener }),
    }
  }
  return { runExclusively, channel }
}

export const openTab = async (
  browser = createBrowser(),
  device = openDevice(database),
  onSignedOut = (): void => {},
): Promise<Outbox> => {
  const { httpTransport } = await import('../http-transport.ts')
  const tab = createOutbox({
    device,
    transport: httpTransport,
    runExclusively: browser.runExclusively,
    channel: browser.channel(),
    onSignedOut,
  })
  opened.push(tab)
  return tab
}

export const save = (value: string, status: 'draft' | 'submitted' | 'discarded' = 'submitted'): Change => ({
  kind: 'save',
  status,
  values: { q: { value } },
})
export const mutationInput = (recordId: string, base: BaseVersion, change: Change) => ({ datasetId: 'd', recordId, base, change })
export const answerOf = (recordId: string) => server.answers.get(recordId)?.values['q']?.value
export const settled = (tab: Outbox) =>
  vi.waitFor(() => expect(tab.snapshot().lines.size).toBe(0), { timeout: 8000, interval: 10 })
export const state = (tab: Outbox, recordId: string) => saveStateOf(tab.snapshot(), recordId)
export const expectState = (tab: Outbox, recordId: string, expected: string) =>
  vi.waitFor(() => expect(state(tab, recordId)).toBe(expected), { timeout: 8000, interval: 10 })
export const baseOf = (recordId: string): BaseVersion => server.answers.get(recordId)?.version ?? null

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
