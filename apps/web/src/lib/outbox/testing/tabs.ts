import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { openDevice } from '../device.ts'
import type { Channel, Outbox } from '../outbox.ts'
import { createOutbox, saveStateOf } from '../outbox.ts'
import type { Base, Change } from '../types.ts'
import type { AnswerServer } from './answer-server.ts'
import { startAnswerServer } from './answer-server.ts'

/** The server of the test that runs. */
export let server: AnswerServer
export const serverIsBackOn = async (port: number): Promise<void> => {
  server = await startAnswerServer(port)
}
let databases = 0
/** Where the tabs of the test that runs keep their answers. */
export let database = ''
let opened: Outbox[] = []

const { fetch: realFetch } = globalThis

/** Several tabs of one browser share a lock and a channel, as they share the database. */
export const createBrowser = () => {
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

export const openTab = async (
  browser = createBrowser(),
  device = openDevice(database),
  onSignedOut = (): void => {},
): Promise<Outbox> => {
  const { httpTransport } = await import('../http-transport.ts')
  const tab = createOutbox({ device, transport: httpTransport, alone: browser.alone, channel: browser.channel(), onSignedOut })
  opened.push(tab)
  return tab
}

export const save = (value: string, status: 'draft' | 'submitted' | 'discarded' = 'submitted'): Change => ({
  kind: 'save',
  status,
  values: { q: { value } },
})
export const wanted = (recordId: string, base: Base, change: Change) => ({ datasetId: 'd', recordId, base, change })
export const answerOf = (recordId: string) => server.answers.get(recordId)?.values['q']?.value
export const settled = (tab: Outbox) =>
  vi.waitFor(() => expect(tab.snapshot().lines.size).toBe(0), { timeout: 8000, interval: 10 })
export const state = (tab: Outbox, recordId: string) => saveStateOf(tab.snapshot(), recordId)
export const becomes = (tab: Outbox, recordId: string, wanted: string) =>
  vi.waitFor(() => expect(state(tab, recordId)).toBe(wanted), { timeout: 8000, interval: 10 })
export const baseOf = (recordId: string): Base => server.answers.get(recordId)?.version ?? null

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
