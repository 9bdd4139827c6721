import { beforeEach, expect, test, vi } from 'vitest'
import { networkSettles, reloadPause } from '#lib/constants.ts'
import { noteComebacks } from './comeback.ts'
import { isLoadedAgain, reloadOnStaleFiles } from './stale-files.ts'

/** Whether the page is loaded again for a file that fails now. */
const fail = (): Promise<boolean> => {
  window.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
  return isLoadedAgain()
}

let online = true
let isThere = async () => true
beforeEach(() => {
  online = true
  isThere = async () => true
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

/** A page that listens, and counts how often it would be loaded again. */
const open = () => {
  const clock = { now: 10 * reloadPause }
  const reload = vi.fn()
  noteComebacks(() => clock.now)
  reloadOnStaleFiles({ now: () => clock.now, reload, isThere: () => isThere() })
  return { clock, reload }
}

test('a file that is gone has the page loaded again, once a minute at most', async () => {
  const { clock, reload } = open()
  // Several that fail together are told the same.
  expect(await Promise.all([fail(), fail()])).toEqual([true, true])
  expect(reload).toHaveBeenCalledTimes(1)
  clock.now += reloadPause - 1
  expect(await fail()).toBe(false)
  expect(reload).toHaveBeenCalledTimes(1)
  clock.now += 1
  expect(await fail()).toBe(true)
  expect(reload).toHaveBeenCalledTimes(2)
})

test('without a network nothing would come back', async () => {
  const { reload } = open()
  online = false
  expect(await fail()).toBe(false)
  expect(reload).not.toHaveBeenCalled()
})

test('without a server neither: a file that fails then is late, and the next one is asked about anew', async () => {
  const { reload } = open()
  isThere = async () => false
  expect(await Promise.all([fail(), fail()])).toEqual([false, false])
  expect(reload).not.toHaveBeenCalled()
  isThere = async () => true
  expect(await fail()).toBe(true)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('what fails while the network comes back is not taken to be gone', async () => {
  const { clock, reload } = open()
  window.dispatchEvent(new Event('offline'))
  expect(await fail()).toBe(false)
  window.dispatchEvent(new Event('online'))
  clock.now += networkSettles - 1
  expect(await fail()).toBe(false)
  expect(reload).not.toHaveBeenCalled()
  clock.now += 1
  expect(await fail()).toBe(true)
  expect(reload).toHaveBeenCalledTimes(1)
})
