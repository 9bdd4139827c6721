import { beforeEach, expect, test, vi } from 'vitest'
import { keepApplication } from './able.ts'

type State = 'installing' | 'installed' | 'activating' | 'activated' | 'redundant'
class Worker extends EventTarget {
  state: State = 'installing'
  become(state: State): void {
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
}

type Registered = { readonly active?: Worker; readonly installing?: Worker; readonly update: () => Promise<void> }
let registered: Registered
const update = () => Promise.resolve()
beforeEach(() => {
  vi.stubEnv('PROD', true)
  vi.stubGlobal('document', { baseURI: 'http://localhost/' })
  vi.stubGlobal('window', { indexedDB: {} })
  vi.stubGlobal('navigator', { serviceWorker: { register: async () => registered } })
})

/** What has become of it by now. */
const begin = (options?: Parameters<typeof keepApplication>[0]) => {
  let became = 'waits'
  const done = keepApplication(options).then(
    () => (became = 'kept'),
    () => (became = 'refused'),
  )
  return { done, became: () => became }
}

test('the application is kept once the worker that has its files acts', async () => {
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

test('files that did not arrive are told, and are no wait without an end', async () => {
  const installing = new Worker()
  registered = { installing, update }
  const keeping = begin()
  await new Promise(setImmediate)
  installing.become('redundant')
  expect(await keeping.done).toBe('refused')
})

const acting = (): Worker => Object.assign(new Worker(), { state: 'activated' })

test('the files of the release before are good enough', async () => {
  registered = { active: acting(), installing: new Worker(), update }
  expect(await begin().done).toBe('kept')
})

test('before a way without a network those of a newer release are waited for, whether or not it acts already', async () => {
  const newer = new Worker()
  let asked = 0
  registered = {
    active: acting(),
    // It is known of when the server was asked.
    get installing() {
      return asked > 0 ? newer : undefined
    },
    update: async () => {
      asked += 1
    },
  } as Registered
  const keeping = begin({ asksForNewer: true })
  await new Promise(setImmediate)
  expect([asked, keeping.became()]).toEqual([1, 'waits'])
  newer.become('installed')
  expect(await keeping.done).toBe('kept')
})

test.each([
  ['that does not arrive', (newer: Worker) => newer.become('redundant'), update],
  ['that cannot be asked for', () => undefined, () => Promise.reject(new Error('no network'))],
] as const)('a newer one %s is no wait without an end', async (_, happens, updating) => {
  const newer = new Worker()
  registered = { active: acting(), ...(updating === update && { installing: newer }), update: updating }
  const keeping = begin({ asksForNewer: true })
  await new Promise(setImmediate)
  happens(newer)
  expect(await keeping.done).toBe('kept')
})
