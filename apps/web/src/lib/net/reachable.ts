import { ApiError } from '#lib/api/api-error.ts'
import { call } from '#lib/api/client.ts'

/** First and longest pause between checks, and the time limit of a check, in milliseconds. */
const firstPause = 3000
const longestPause = 15_000
const requestTimeout = 10_000
/**
 * Maximum number of automatic retries of a load that fails although the server responds. Such a failure isn't caused by an
 * unreachable server. After these retries, only the user can retry.
 */
const maxFailedTries = 3
/** Failures further apart than this many milliseconds are unrelated. */
const failureMemory = 60_000

/** Whether a status comes from a proxy whose server is down. */
export const isGateway = (status: number): boolean => status >= 502 && status <= 504

/** Checks whether the server responds. */
export const isReachable = async (): Promise<boolean> => {
  try {
    const options = { serverOnly: true, endsSession: false, signal: AbortSignal.timeout(requestTimeout) }
    await call('GET /version', options)
    return true
  } catch (error) {
    return error instanceof ApiError && error.status !== 0 && !isGateway(error.status)
  }
}

// A retry renders the waiting component again, so the count is stored outside the component.
let failedTries = 0
let lastTry = Number.NEGATIVE_INFINITY

/**
 * Checks at intervals whether the server responds. Also checks immediately when the network is back or the page is visible again.
 * Calls `tryAgain` when the server responds. The checks are small requests. Retrying the page instead would render it again each
 * time.
 * @returns a function that stops waiting
 */
export const whenReachable = (tryAgain: () => void): (() => void) => {
  if (Date.now() - lastTry > failureMemory) failedTries = 0
  let pause = firstPause * 2 ** failedTries
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking = false
  let ended = false
  const ask = async (): Promise<void> => {
    if (asking) return
    asking = true
    clearTimeout(timer)
    const isUp = await isReachable()
    asking = false
    if (ended) return
    if (!isUp) failedTries = 0
    else if (failedTries < maxFailedTries) {
      failedTries += 1
      lastTry = Date.now()
      tryAgain()
    }
    pause = Math.min(pause * 2, longestPause)
    // If the callback succeeded, it has already stopped the waiting. In that case, no further check is scheduled.
    if (!ended) timer = setTimeout(ask, pause)
  }
  const askWhenVisible = (): void => {
    if (document.visibilityState === 'visible') void ask()
  }
  const askNow = (): void => void ask()
  timer = setTimeout(ask, pause)
  window.addEventListener('online', askNow)
  window.addEventListener('focus', askWhenVisible)
  document.addEventListener('visibilitychange', askWhenVisible)
  return () => {
    ended = true
    clearTimeout(timer)
    window.removeEventListener('online', askNow)
    window.removeEventListener('focus', askWhenVisible)
    document.removeEventListener('visibilitychange', askWhenVisible)
  }
}
