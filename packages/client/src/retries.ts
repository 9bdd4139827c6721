import { ApiError } from './api-error.ts'
import type { Send } from './call.ts'

export type RetryOptions = {
  /** The maximum number of tries per call. */
  readonly tries?: number
  /** The pause before the first retry, in milliseconds. It doubles with each further retry. */
  readonly pause?: number
  /** The maximum pause in milliseconds. It applies even if the server asks for a longer pause. */
  readonly maxPause?: number
}

/** Whether a request can safely be sent twice. Searches are POST requests that only read. */
const isRetryable = (method: string, path: string): boolean => method !== 'POST' || /\/search$/.test(path)

const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })

/**
 * Retries requests that did not arrive, were rate limited or failed on the server, except requests that a retry might execute a
 * second time. The pause doubles with each try, and the server's `Retry-After` can extend it. @throws the error of the last try
 */
export const withRetries =
  (send: Send, { tries = 5, pause = 500, maxPause = 30_000 }: RetryOptions = {}): Send =>
  async (method, path, options = {}) => {
    for (let i = 1; ; i += 1) {
      try {
        return await send(method, path, options)
      } catch (error) {
        if (!(error instanceof ApiError) || !error.isTransient || i >= tries) throw error
        // A server that responds with one of these statuses has not processed the request.
        const wasNotProcessed = error.status === 429 || error.status === 503
        if (!wasNotProcessed && !isRetryable(method, path)) throw error
        const own = pause * 2 ** (i - 1) * (0.75 + Math.random() / 2)
        await wait(Math.min(maxPause, Math.max(own, (error.retryAfter ?? 0) * 1000)), options.signal)
      }
    }
  }
