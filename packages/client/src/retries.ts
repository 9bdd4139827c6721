import type { AnyEndpoint, ResultOf } from '@postil/contract/wire/endpoint.ts'
import { ApiError } from './api-error.ts'
import type { Call, CallOptions } from './transport.ts'

export type RetryOptions = {
  /** How often a call is sent at most. */
  readonly tries?: number
  /** The first pause, which doubles each time, in milliseconds. */
  readonly pause?: number
  /** The longest pause, also when the server asks for a longer one, in milliseconds. */
  readonly longest?: number
}

/** Methods that may be sent twice without harm; searches are POSTs that only read. */
const mayRepeat = (method: string, path: string): boolean => method !== 'POST' || /\/search$/.test(path)

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
 * Sends calls again that never arrived, were too many, or met a server that could not serve them: after a pause that doubles each
 * time and that the server's `Retry-After` lengthens. What would be done twice is sent once. @throws as the call itself, from the last try
 */
export const withRetries =
  (call: Call, { tries = 5, pause = 500, longest = 30_000 }: RetryOptions = {}): Call =>
  async <E extends AnyEndpoint>(method: E['method'], path: string, options: CallOptions<E> = {}): Promise<ResultOf<E>> => {
    for (let i = 1; ; i += 1) {
      try {
        return await call<E>(method, path, options)
      } catch (error) {
        if (!(error instanceof ApiError) || !error.isTransient || i >= tries) throw error
        // Too many calls, or none at all: nothing of it was done.
        const isUndone = error.status === 429 || error.status === 503
        if (!isUndone && !mayRepeat(method, path)) throw error
        const own = pause * 2 ** (i - 1) * (0.75 + Math.random() / 2)
        await wait(Math.min(longest, Math.max(own, (error.retryAfter ?? 0) * 1000)), options.signal)
      }
    }
  }
