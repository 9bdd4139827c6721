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

let registered: { readonly active?: Worker; readonly installing?: Worker }
beforeEach(() => {
  vi.stubEnv('PROD', true)
  vi.stubGlobal('document', { baseURI: 'http://localhost/' })
  vi.stubGlobal('window', { indexedDB: {} })
  vi.stubGlobal('navigator', { serviceWorker: { register: async () => registered } })
})

/** What has become of it by now. */
const begin = () => {
  let became = 'waits'
  const done = keepApplication().then(
    () => (became = 'kept'),
    () => (became = 'refused'),
  )
  return { done, became: () => became }
}

test('the application is kept once the worker that has its files acts', async () => {
  const installing = new Worker()
  registered = { installing }
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
  registered = { installing }
  const keeping = begin()
  await new Promise(setImmediate)
  installing.become('redundant')
  expect(await keeping.done).toBe('refused')
})

test('the files of the release before are good enough', async () => {
  const active = new Worker()
  active.state = 'activated'
  registered = { active, installing: new Worker() }
  expect(await begin().done).toBe('kept')
})
