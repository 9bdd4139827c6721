import type { CallOptions as AnyCallOptions } from '@postil/client/transport.ts'
import { createTransport } from '@postil/client/transport.ts'
import type { AnyEndpoint, ResultOf } from '@postil/contract/wire/endpoint.ts'
import { ApiError } from './api-error.ts'
import { href } from './base.ts'
import { csrfHeader, fetchOrTake } from './early.ts'
import { fetchSoon } from './unanswered.ts'

// biome-ignore lint/performance/noBarrelFile: the page knows one place for what calls need
export { path } from '@postil/client/address.ts'
export { csrfHeader } from './early.ts'

export type CallOptions<E extends AnyEndpoint> = AnyCallOptions<E> & {
  /** False where a 401 is an answer of its own and not the end of the session, as on the sign-in form. */
  readonly endsSession?: boolean
  /** True where only the server itself may answer, and not what was taken along for when it is out of reach. */
  readonly live?: boolean
  /** Whether the server answers soon or not at all, as it does to most that is read: false where it asks others first. */
  readonly soon?: boolean
}

const answersAtHand = new WeakSet<object>()

/** Whether an answer is what this device has in place of the server's. */
export const isAtHand = (answer: object): boolean => answersAtHand.has(answer)

export type SessionEnd = {
  readonly refusal: ApiError
  /** True where it is known that answers of this user wait to be sent. */
  readonly hasUnsent: boolean
}
let onSessionEnd: (end: SessionEnd) => void = () => {}

/** Says what happens when the server no longer knows the session: each call that it refuses tells so. */
export const whenSessionEnds = (listener: typeof onSessionEnd): void => {
  onSessionEnd = listener
}

/** The server has said that it no longer knows the session. */
export const endSession = ({ hasUnsent = false } = {}): void => onSessionEnd({ refusal: new ApiError(401, undefined), hasUnsent })

const sendBy = (send: typeof fetchOrTake) =>
  createTransport({
    href,
    headers: (method) => (method === 'GET' ? {} : csrfHeader),
    credentials: 'same-origin',
    fetch: send,
  })
const sendSoon = sendBy(fetchSoon)
const sendPatiently = sendBy(fetchOrTake)

/**
 * Calls one endpoint of the contract with the session of the browser, once.
 * @throws ApiError with the status, or with status 0 when the server could not be reached; AbortError when aborted
 */
export const call = async <E extends AnyEndpoint>(
  method: E['method'],
  address: string,
  { endsSession = true, live = false, soon = method === 'GET', ...options }: CallOptions<E> = {},
): Promise<ResultOf<E>> => {
  try {
    const send = soon ? sendSoon : sendPatiently
    return await send<E>(method, address, options as AnyCallOptions<E>)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.isOutside && endsSession) onSessionEnd({ refusal: error, hasUnsent: false })
    if (error.status === 0 && (method === 'GET' || method === 'POST') && !live) {
      const { query, body } = options
      const kept = await import('#lib/taken/at-hand.ts').then(
        ({ answerAtHand }) => answerAtHand({ method, address, query, body }),
        () => undefined,
      )
      if (typeof kept === 'object' && kept !== null) answersAtHand.add(kept)
      // It is what the server answered at this address.
      if (kept !== undefined) return kept as ResultOf<E>
    }
    throw error
  }
}
