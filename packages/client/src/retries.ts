import type { AnyEndpoint, ResultOf } from '@postil/contract/wire/endpoint.ts'
import { ApiError } from './api-error.ts'
import type { Call, CallOptions } from './transport.ts'

export type RetryOptions = {
  /** The maximum number of tries of a call. */
  readonly tries?: number
  /** The first pause in milliseconds. It doubles with each try. */
  readonly pause?: number
  /** The longest pause in milliseconds, even if the server asks for a longer one. */
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
 * Retries calls that did not arrive, were rate limited or failed on the server. The pause doubles with each try, and the server's
 * `Retry-After` can extend it. A call that might be executed twice is not retried. @throws the error of the last try
 */
export const withRetries =
  (call: Call, { tries = 5, pause = 500, maxPause = 30_000 }: RetryOptions = {}): Call =>
  async <E extends AnyEndpoint>(method: E['method'], path: string, options: CallOptions<E> = {}): Promise<ResultOf<E>> => {
    for (let i = 1; ; i += 1) {
      try {
        return await call<E>(method, path, options)
      } catch (error) {
        if (!(error instanceof ApiError) || !error.isTransient || i >= tries) throw error
        // With these statuses the server has done nothing.
        const wasNotProcessed = error.status === 429 || error.status === 503
        if (!wasNotProcessed && !isRetryable(method, path)) throw error
        const own = pause * 2 ** (i - 1) * (0.75 + Math.random() / 2)
        await wait(Math.min(maxPause, Math.max(own, (error.retryAfter ?? 0) * 1000)), options.signal)
      }
    }
  }
