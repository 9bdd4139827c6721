import { beforeEach, expect, test, vi } from 'vitest'
import { networkSettles, reloadPause } from '#lib/constants.ts'
import { noteComebacks } from './comeback.ts'
import { reloadOnStaleFiles } from './stale-files.ts'

const fail = (): Event => {
  const event = new Event('vite:preloadError', { cancelable: true })
  window.dispatchEvent(event)
  return event
}

let online = true
beforeEach(() => {
  online = true
  const kept = new Map<string, string>()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
  vi.stubGlobal('navigator', {
    get onLine() {
      return online
    },
  })
})

test('a file that is gone has the page loaded again, once a minute at most', () => {
  let now = 10 * reloadPause
  const reload = vi.fn()
  noteComebacks(() => now)
  reloadOnStaleFiles(() => now, reload)
  expect(fail().defaultPrevented).toBe(true)
  expect(reload).toHaveBeenCalledTimes(1)
  now += reloadPause - 1
  expect(fail().defaultPrevented).toBe(false)
  expect(reload).toHaveBeenCalledTimes(1)
  now += 1
  fail()
  expect(reload).toHaveBeenCalledTimes(2)
})

test('without a network nothing would come back', () => {
  const reload = vi.fn()
  noteComebacks()
  reloadOnStaleFiles(() => 10 * reloadPause, reload)
  online = false
  fail()
  expect(reload).not.toHaveBeenCalled()
})

test('what fails while the network comes back is not taken to be gone', () => {
  let now = 10 * reloadPause
  const reload = vi.fn()
  noteComebacks(() => now)
  reloadOnStaleFiles(() => now, reload)
  window.dispatchEvent(new Event('offline'))
  expect(fail().defaultPrevented).toBe(false)
  window.dispatchEvent(new Event('online'))
  now += networkSettles - 1
  expect(fail().defaultPrevented).toBe(false)
  expect(reload).not.toHaveBeenCalled()
  now += 1
  expect(fail().defaultPrevented).toBe(true)
  expect(reload).toHaveBeenCalledTimes(1)
})
