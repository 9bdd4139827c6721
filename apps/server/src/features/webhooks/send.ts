import type { AppContext } from '#context.ts'
import type { AttemptResult } from '#platform/jobs/claim.ts'
import { postOnce } from '#platform/outgoing/post.ts'
import type { Resolve } from '#platform/outgoing/resolve.ts'
import type { Micros } from '#platform/time.ts'
import { now } from '#platform/time.ts'
import { messageBody, messageId, signedHeaders } from './message.ts'

export const TIMEOUT_MS = 20_000

export type Outgoing = {
  /** A UUID. */
  readonly id: string
  readonly url: string
  readonly secret_sealed: string
  readonly event: string
  /** The time of the event. */
  readonly at: Micros
  /** JSON. */
  readonly data: string
}
export type SendOptions = { readonly timeoutMs?: number; readonly signal?: AbortSignal; readonly resolve?: Resolve | undefined }

/** `http_status` is null if there was no response. In that case, `reason` contains the cause. */
export type Sent =
  | { readonly http_status: number; readonly reason: null }
  | { readonly http_status: null; readonly reason: string }

/** Returns one sentence that describes the failure; null if there was none. */
const faultOf = ({ http_status, reason }: Sent): string | null => {
  if (http_status === null) return reason
  if (http_status >= 200 && http_status < 300) return null
  const redirect = http_status >= 300 && http_status < 400
  return redirect ? `The target answered ${http_status}. Redirects are not followed` : `The target answered ${http_status}`
}

/** Returns the log entry for an attempt that has just ended. @param began start time, from `performance.now()` */
export const attemptedOf = (sent: Sent, began: number): AttemptResult => ({
  attempted_at: now(),
  http_status: sent.http_status,
  duration_ms: Math.round(performance.now() - began),
  error: faultOf(sent),
})

type Context = Pick<AppContext, 'secrets'> & { readonly config: Pick<AppContext['config'], 'webhooksAllowPrivate'> }

/** Signs a message with the current time and sends it once. @throws the signal's abort reason */
export const sendMessage = async (ctx: Context, message: Outgoing, options: SendOptions = {}): Promise<Sent> => {
  const secret = ctx.secrets.decrypt(message.secret_sealed)
  if (secret === null) return { http_status: null, reason: "The webhook's secret cannot be decrypted. Create a new secret" }
  const { timeoutMs = TIMEOUT_MS, ...rest } = options
  const body = messageBody(message)
  const headers = signedHeaders({ id: messageId(message.id), body, secret, at: now() })
  const posted = await postOnce(message.url, {
    headers,
    body,
    timeoutMs,
    allowPrivate: ctx.config.webhooksAllowPrivate,
    ...rest,
  })
  return posted.status === null ? { http_status: null, reason: posted.reason } : { http_status: posted.status, reason: null }
}
