/** Calls `onRetry` when a retry may succeed. Returns a function that stops waiting. */
type WaitForServer = (onRetry: () => void) => () => void

let waitForServer: WaitForServer = () => () => {}

/** Sets the function that waits for an unreachable server. */
export const setServerWait = (wait: WaitForServer): void => {
  waitForServer = wait
}

let pendingRetry: Promise<void> | null = null

/**
 * Resolves when a retry may succeed: the network is back, the window is visible again, or the server responds. All callers that
 * wait share one promise.
 */
export const nextRetry = (): Promise<void> => {
  pendingRetry ??= new Promise((done) => {
    const onRetry = (): void => {
      stopWaiting()
      window.removeEventListener('online', onRetry)
      window.removeEventListener('focus', onRetry)
      pendingRetry = null
      done()
    }
    const stopWaiting = waitForServer(onRetry)
    window.addEventListener('online', onRetry)
    window.addEventListener('focus', onRetry)
  })
  return pendingRetry
}
