import { beforeEach, expect, test, vi } from 'vitest'
import { cacheApplication } from './service-worker.ts'

type State = 'installing' | 'installed' | 'activating' | 'activated' | 'redundant'
class Worker extends EventTarget {
  state: State = 'installing'
  become(state: State): void {
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
}

type FakeRegistration = { readonly active?: Worker; readonly installing?: Worker; readonly update: () => Promise<void> }
let registered: FakeRegistration
const update = () => Promise.resolve()
beforeEach(() => {
  vi.stubEnv('PROD', true)
  vi.stubGlobal('document', { baseURI: 'http://localhost/' })
  vi.stubGlobal('window', { indexedDB: {} })
  vi.stubGlobal('navigator', { serviceWorker: { register: async () => registered } })
})

/**
 * Calls `cacheApplication`. Returns a promise that resolves when the call has ended, and a function that returns the call's
 * current state.
 */
const begin = (options?: Parameters<typeof cacheApplication>[0]) => {
  let became = 'waits'
  const done = cacheApplication(options).then(
    () => (became = 'kept'),
    () => (became = 'refused'),
  )
  return { done, became: () => became }
}

test('the application is saved once its service worker is activated', async () => {
  const installing = new Worker()
  registered = { installing, update }
  const keeping = begin()
  for (const state of ['installed', 'activating'] as const) {
    await new Promise(setImmediate)
    installing.become(state)
    expect(keeping.became()).toBe('waits')
  }
  installing.become('activated')
  expect(await keeping.done).toBe('kept')
})

test('files that fail to arrive are reported and don’t wait forever', async () => {
  const installing = new Worker()
  registered = { installing, update }
  const keeping = begin()
  await new Promise(setImmediate)
  installing.become('redundant')
  expect(await keeping.done).toBe('refused')
})

const acting = (): Worker => Object.assign(new Worker(), { state: 'activated' })

test('the files of the previous release are sufficient', async () => {
  registered = { active: acting(), installing: new Worker(), update }
  expect(await begin().done).toBe('kept')
})

test('saving for offline use waits for the files of a newer release, whether or not its worker is already active', async () => {
  const newer = new Worker()
  let asked = 0
  registered = {
    active: acting(),
    // The newer worker appears after the update check.
    get installing() {
      return asked > 0 ? newer : undefined
    },
    update: async () => {
      asked += 1
    },
  } as FakeRegistration
  const keeping = begin({ checkForUpdate: true })
  await new Promise(setImmediate)
  expect([asked, keeping.became()]).toEqual([1, 'waits'])
  newer.become('installed')
  expect(await keeping.done).toBe('kept')
})

test.each([
  ['doesn’t arrive', (newer: Worker) => newer.become('redundant'), update],
  ['can’t be requested', () => undefined, () => Promise.reject(new Error('no network'))],
] as const)('a newer worker that %s doesn’t wait forever', async (_, happens, updating) => {
  const newer = new Worker()
  registered = { active: acting(), ...(updating === update && { installing: newer }), update: updating }
  const keeping = begin({ checkForUpdate: true })
  await new Promise(setImmediate)
  happens(newer)
  expect(await keeping.done).toBe('kept')
})
