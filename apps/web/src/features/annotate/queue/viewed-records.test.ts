import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let stored: { [key: string]: string } = {}

/** Opens a tab: a copy of the module with its own key. */
const openTab = async () => {
  vi.resetModules()
  return import('./viewed-records.ts')
}

beforeEach(() => {
  vi.useFakeTimers()
  stored = {}
  const methods = {
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => {
      stored[key] = value
    },
    removeItem: (key: string) => {
      delete stored[key]
    },
  }
  vi.stubGlobal('window', new EventTarget())
  const target = (): object => stored
  const storage = new Proxy(methods, {
    ownKeys: () => Reflect.ownKeys(target()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(target(), key),
  })
  vi.stubGlobal('localStorage', storage)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a tab releases only records that no other tab of the same user views', async () => {
  const [a, b] = [await openTab(), await openTab()]
  a.announceViewed({ userId: 'ada', datasetId: 'd', ids: ['r1', 'r2'] })
  b.announceViewed({ userId: 'ada', datasetId: 'd', ids: ['r2', 'r3'] })
  expect(a.withoutViewedElsewhere('ada', 'd', ['r1', 'r2'])).toEqual(['r1'])
  expect(a.withoutViewedElsewhere('ada', 'other', ['r2'])).toEqual(['r2'])
  expect(a.withoutViewedElsewhere('ben', 'd', ['r2'])).toEqual(['r2'])
  b.forgetViewed()
  expect(a.withoutViewedElsewhere('ada', 'd', ['r1', 'r2'])).toEqual(['r1', 'r2'])
})

test('a tab knows when another has renewed a lease', async () => {
  const b = await openTab()
  const { noteLeaseEnd } = await import('./lease-ends.ts')
  noteLeaseEnd('r1', '2030-01-01T00:00:30.000000')
  b.announceViewed({ userId: 'ada', datasetId: 'd', ids: ['r1'] })
  const [[key, newValue] = []] = Object.entries(stored)
  await openTab()
  const { leaseEndOf } = await import('./lease-ends.ts')
  window.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }))
  expect(leaseEndOf('r1')).toBe('2030-01-01T00:00:30.000000')
})

test('a tab that was closed without notice or is hidden views its records only as long as their leases last', async () => {
  const [a, b] = [await openTab(), await openTab()]
  b.announceViewed({ userId: 'ada', datasetId: 'd', ids: ['r1'] })
  vi.advanceTimersByTime(90_000)
  expect(a.withoutViewedElsewhere('ada', 'd', ['r1'])).toEqual([])
  vi.advanceTimersByTime(1)
  expect(a.withoutViewedElsewhere('ada', 'd', ['r1'])).toEqual(['r1'])
  expect(Object.keys(stored)).toEqual([])
})
