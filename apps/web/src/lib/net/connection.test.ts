import { expect, test, vi } from 'vitest'
import { mayPrefetch, prefetchWhenIdle } from './connection.ts'

const fast = { onLine: true, connection: { effectiveType: '4g', saveData: false } }

test.each([
  ['a fast connection', fast, true],
  ['a browser that doesn’t report its connection', { onLine: true }, true],
  ['2g', { ...fast, connection: { effectiveType: '2g' } }, false],
  ['slow 2g', { ...fast, connection: { effectiveType: 'slow-2g' } }, false],
  ['a data saver', { ...fast, connection: { effectiveType: '4g', saveData: true } }, false],
  ['no network', { ...fast, onLine: false }, false],
])('with %s, likely pages are prefetched when the page is idle, or not: %#', async (_name, navigator, expected) => {
  vi.stubGlobal('navigator', navigator)
  let idle = (): void => {}
  vi.stubGlobal('window', {
    requestIdleCallback: (work: () => void) => {
      idle = work
    },
  })
  const load = vi.fn(async () => undefined)
  prefetchWhenIdle(load)
  expect(load).not.toHaveBeenCalled()
  idle()
  await Promise.resolve()
  expect([mayPrefetch(), load.mock.calls.length > 0]).toEqual([expected, expected])
})
