import { responseTimeout } from '#lib/constants.ts'
import { withTimeout } from '#lib/with-timeout.ts'
import { ApiError } from './api-error.ts'
import { fetchOrReuse } from './early-responses.ts'

/** Thrown when the server accepts a request but doesn't respond. A retry would only prolong the wait. */
export class NoResponseError extends ApiError {
  constructor() {
    super(0, undefined)
  }
}

/**
 * Limits the time until a response starts. The time for the rest of the response isn't limited.
 * @throws NoResponseError
 */
export const fetchWithTimeout: typeof fetchOrReuse = async (url, { signal, ...request }) => {
  const waiting = new AbortController()
  const stop = (): void => waiting.abort(signal?.reason)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  const response = fetchOrReuse(url, { ...request, signal: waiting.signal })
  return withTimeout(response, responseTimeout, () => {
    waiting.abort()
    return new NoResponseError()
  })
}
