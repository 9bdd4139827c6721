import type { getVersion } from '@postil/contract/info.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { call } from '#lib/api/client.ts'

/** Between two questions, in milliseconds: first, at most, and how long one may take. */
const firstPause = 3000
const longestPause = 15_000
const patience = 10_000
/** What fails while the server answers has another cause: it is tried so often by itself, and then only by a press. */
const vainTries = 3
/** Later than this a failure has nothing to do with one before. */
const memory = 60_000

/** Of a proxy whose server is not there. */
export const isGateway = (status: number): boolean => status >= 502 && status <= 504

/** Asks the server whether it is there. */
export const isReachable = async (): Promise<boolean> => {
  try {
    const options = { live: true, endsSession: false, signal: AbortSignal.timeout(patience) }
    await call<typeof getVersion>('GET', '/api/v1/version', options)
    return true
  } catch (error) {
    return error instanceof ApiError && error.status !== 0 && !isGateway(error.status)
  }
}

// What is tried again is drawn anew, and whoever waits with it: the count outlives that.
let vain = 0
let lastTry = Number.NEGATIVE_INFINITY

/**
 * Asks the server now and then whether it is there, sooner when the network is back or the page is looked at again, and calls back when
 * it is. Only a question is sent: trying the page itself would draw it anew each time.
 * @returns what ends the waiting
 */
export const whenReachable = (tryAgain: () => void): (() => void) => {
  if (Date.now() - lastTry > memory) vain = 0
  let pause = firstPause * 2 ** vain
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking = false
  let ended = false
  const ask = async (): Promise<void> => {
    if (asking) return
    asking = true
    clearTimeout(timer)
    const isThere = await isReachable()
    asking = false
    if (ended) return
    if (!isThere) vain = 0
    else if (vain < vainTries) {
      vain += 1
      lastTry = Date.now()
      tryAgain()
    }
    pause = Math.min(pause * 2, longestPause)
    // Whoever has what they waited for has ended the waiting by now.
    if (!ended) timer = setTimeout(ask, pause)
  }
  const look = (): void => {
    if (document.visibilityState === 'visible') void ask()
  }
  const come = (): void => void ask()
  timer = setTimeout(ask, pause)
  window.addEventListener('online', come)
  window.addEventListener('focus', look)
  document.addEventListener('visibilitychange', look)
  return () => {
    ended = true
    clearTimeout(timer)
    window.removeEventListener('online', come)
    window.removeEventListener('focus', look)
    document.removeEventListener('visibilitychange', look)
  }
}
