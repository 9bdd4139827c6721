import { answerPatience } from '#lib/constants.ts'
import { inTime } from '#lib/in-time.ts'
import { ApiError } from './api-error.ts'
import { fetchOrTake } from './early.ts'

/** The server takes requests and says nothing: to ask once more would only make the wait longer. */
export class Unanswered extends ApiError {
  constructor() {
    super(0, undefined)
  }
}

/** Waits for the beginning of an answer only so long; for the rest of it as long as it takes. @throws Unanswered */
export const fetchSoon: typeof fetchOrTake = async (url, { signal, ...request }) => {
  const waiting = new AbortController()
  const stop = (): void => waiting.abort(signal?.reason)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  const begun = fetchOrTake(url, { ...request, signal: waiting.signal })
  return inTime(begun, answerPatience, () => {
    waiting.abort()
    return new Unanswered()
  })
}
