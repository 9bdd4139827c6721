import { beforeEach, expect, test, vi } from 'vitest'
import { reconnectGrace, reloadInterval } from '#lib/constants.ts'
import { trackReconnects } from './reconnect.ts'
import { reloadOnStaleFiles, willReload } from './stale-files.ts'

/** Simulates a file that fails to load. Returns whether the page is reloaded. */
const fail = (): Promise<boolean> => {
  window.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
  return willReload()
}

let online = true
let isServerUp = async () => true
beforeEach(() => {
  online = true
  isServerUp = async () => true
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

/** Opens a page that handles stale files and counts its reloads. */
const open = () => {
  const clock = { now: 10 * reloadInterval }
  const reload = vi.fn()
  trackReconnects(() => clock.now)
  reloadOnStaleFiles({ now: () => clock.now, reload, isServerUp: () => isServerUp() })
  return { clock, reload }
}

test('a missing file reloads the page, at most once a minute', async () => {
  const { clock, reload } = open()
  // Files that fail together lead to the same decision.
  expect(await Promise.all([fail(), fail()])).toEqual([true, true])
  expect(reload).toHaveBeenCalledTimes(1)
  clock.now += reloadInterval - 1
  expect(await fail()).toBe(false)
  expect(reload).toHaveBeenCalledTimes(1)
  clock.now += 1
  expect(await fail()).toBe(true)
  expect(reload).toHaveBeenCalledTimes(2)
})

test('nothing is reloaded without a network', async () => {
  const { reload } = open()
  online = false
  expect(await fail()).toBe(false)
  expect(reload).not.toHaveBeenCalled()
})

test('nothing is reloaded while the server is down, and the next failing file is checked again', async () => {
  const { reload } = open()
  isServerUp = async () => false
  expect(await Promise.all([fail(), fail()])).toEqual([false, false])
  expect(reload).not.toHaveBeenCalled()
  isServerUp = async () => true
  expect(await fail()).toBe(true)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a file that fails while the network is returning does not count as missing', async () => {
  const { clock, reload } = open()
  window.dispatchEvent(new Event('offline'))
  expect(await fail()).toBe(false)
  window.dispatchEvent(new Event('online'))
  clock.now += reconnectGrace - 1
  expect(await fail()).toBe(false)
  expect(reload).not.toHaveBeenCalled()
  clock.now += 1
  expect(await fail()).toBe(true)
  expect(reload).toHaveBeenCalledTimes(1)
})
