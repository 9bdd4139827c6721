import { reconnectGrace } from '#lib/constants.ts'

let clock = Date.now
let isOffline = false
let reconnectedAt = Number.NEGATIVE_INFINITY

/**
 * Starts to track whether the network is lost, and when it was last restored.
 * @param now returns the time in milliseconds
 */
export const trackReconnects = (now: () => number = Date.now): void => {
  clock = now
  isOffline = !navigator.onLine
  reconnectedAt = Number.NEGATIVE_INFINITY
  window.addEventListener('offline', () => {
    isOffline = true
  })
  window.addEventListener('online', () => {
    isOffline = false
    reconnectedAt = clock()
  })
}

/** Whether the network was restored so recently that it may not work yet. */
export const isReconnecting = (): boolean => clock() - reconnectedAt < reconnectGrace

/**
 * Whether the network can be ruled out as the cause of a failure right now. The browser may set `onLine` some time before it
 * sends the `online` event. In between, requests that started offline fail.
 */
export const isStable = (): boolean => navigator.onLine && !isOffline && !isReconnecting()
