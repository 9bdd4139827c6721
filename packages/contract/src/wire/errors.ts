import { type Message, message, type Reason } from './message.ts'
import { renderMessage } from './render-message.ts'

/**
 * All errors that handlers return are created here. Only the HTTP layer maps a `Problem` to a status and a body, so features
 * never use status codes.
 */
export type ValidationProblem = { readonly type: string; readonly loc: readonly (string | number)[]; readonly msg: string }

export type ProblemKind =
  | 'unauthorized'
  | 'forbidden'
  | 'second_factor_due'
  | 'validation'
  | 'not_found'
  | 'conflict'
  | 'unprocessable'
  | 'business'
  | 'bad_request'
  | 'method_not_allowed'
  | 'too_large'
  | 'too_many'
  | 'unavailable'
  | 'provider_refused'
  | 'fault'

export type ProblemData = {
  readonly kind: ProblemKind
  /** One sentence for people, including the ids and names involved. */
  readonly detail: string
  /** `detail` as data. Omitted if the sentence has no code. */
  readonly message?: Message
  /** A machine-readable code in snake_case, for `business` problems and for problems that the web app handles. */
  readonly code?: string
  readonly errors?: readonly ValidationProblem[]
  /** Additional keys of the body, for example the current answer in a version conflict. */
  readonly extra?: { readonly [key: string]: unknown }
  readonly retryAfterSeconds?: number
  /** For `unavailable`: a sentence that says which disk is full. Work that can wait is postponed until there is space. */
  readonly lacksRoom?: string
  /** For `unavailable`: only the cause, without its effect on the request. */
  readonly cause?: string
}

/** An expected refusal. Only its `data` is passed between worker threads. */
export class Problem extends Error {
  readonly data: ProblemData
  constructor(data: ProblemData) {
    super(data.detail)
    this.name = 'Problem'
    this.data = data
  }

  /** The sentence as data, or as text if it has no code. */
  get reason(): Reason {
    return this.data.message ?? this.data.detail
  }
}

/** The only place where error messages are rendered in English. */
const worded = (reason: Reason) => ({
  detail: renderMessage(reason),
  ...(typeof reason !== 'string' && { message: reason }),
})

export const unauthorized = (reason: Reason = 'Could not validate credentials') =>
  new Problem({ kind: 'unauthorized', ...worded(reason) })
export const forbidden = (reason: Reason = message('notAllowed')) => new Problem({ kind: 'forbidden', ...worded(reason) })
/** The caller must complete two-factor authentication first. */
export const secondFactorDue = (detail: string) => new Problem({ kind: 'second_factor_due', code: 'second_factor_due', detail })
export const invalid = (errors: readonly ValidationProblem[]) =>
  new Problem({ kind: 'validation', detail: errors.map((e) => `${e.loc.join('.')}: ${e.msg}`).join('; '), errors })
export const notFound = (what: string, id: string) =>
  new Problem({ kind: 'not_found', detail: `${what} with id \`${id}\` not found` })
export const notFoundWithReason = (reason: Reason) => new Problem({ kind: 'not_found', ...worded(reason) })
export const conflict = (reason: Reason, extra?: ProblemData['extra']) =>
  new Problem({ kind: 'conflict', ...worded(reason), ...(extra && { extra }) })
export const unprocessable = (reason: Reason, extra?: ProblemData['extra']) =>
  new Problem({ kind: 'unprocessable', ...worded(reason), ...(extra && { extra }) })
export const business = (code: string, detail: string) => new Problem({ kind: 'business', code, detail })
export const tooLarge = (reason: Reason) => new Problem({ kind: 'too_large', ...worded(reason) })
export const tooMany = (detail: string, retryAfterSeconds: number) => new Problem({ kind: 'too_many', detail, retryAfterSeconds })
/** The identity provider refused the sign-in, or the user that it identified may not sign in. */
export const providerRefused = (detail: string, extra?: ProblemData['extra']) =>
  new Problem({ kind: 'provider_refused', detail, ...(extra && { extra }) })
/** Something outside the server is broken or misconfigured, and the caller can't fix it. */
export const fault = (detail: string, extra?: ProblemData['extra']) =>
  new Problem({ kind: 'fault', detail, ...(extra && { extra }) })
export const unavailable = (reason: Reason, retryAfterSeconds = 1) =>
  new Problem({ kind: 'unavailable', ...worded(reason), retryAfterSeconds })
