import { networkSettles } from '#lib/constants.ts'

let clock = Date.now
let isAway = false
let cameBack = Number.NEGATIVE_INFINITY

/** Notes from now on when the network goes away and comes back. @param now milliseconds */
export const noteComebacks = (now: () => number = Date.now): void => {
  clock = now
  isAway = !navigator.onLine
  cameBack = Number.NEGATIVE_INFINITY
  window.addEventListener('offline', () => {
    isAway = true
  })
  window.addEventListener('online', () => {
    isAway = false
    cameBack = clock()
  })
}

/** Whether the network is back, and may not work yet. */
export const isSettling = (): boolean => clock() - cameBack < networkSettles

/**
 * Whether what fails now does not fail for want of a network. The browser may say that it is online some time before it tells so by the
 * event, and what began without a network fails between.
 */
export const isSteady = (): boolean => navigator.onLine && !isAway && !isSettling()
