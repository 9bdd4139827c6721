/**
 * Every error that a handler may answer is made here. Only the HTTP layer turns a `Problem` into a status and a body,
 * so features never name a status code.
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
  /** One sentence for people; ids and names involved are part of it. */
  readonly detail: string
  /** Machine code of `business` problems, and of those that the page acts upon, snake_case. */
  readonly code?: string
  readonly errors?: readonly ValidationProblem[]
  /** Further keys of the body, for example the answer that stands beside a version conflict. */
  readonly extra?: { readonly [key: string]: unknown }
  readonly retryAfterSeconds?: number
  /** Of `unavailable`: which disk is full, as a sentence; what may wait does until there is room. */
  readonly lacksRoom?: string
}

/** An expected refusal. It crosses worker threads as its `data`, see `toData` and `fromData`. */
export class Problem extends Error {
  readonly data: ProblemData
  constructor(data: ProblemData) {
    super(data.detail)
    this.name = 'Problem'
    this.data = data
  }
}

export const unauthorized = (detail = 'Could not validate credentials') => new Problem({ kind: 'unauthorized', detail })
export const forbidden = (detail = 'Operation not allowed') => new Problem({ kind: 'forbidden', detail })
/** Whoever calls has to show a second factor before anything else. */
export const secondFactorDue = (detail: string) => new Problem({ kind: 'second_factor_due', code: 'second_factor_due', detail })
export const invalid = (errors: readonly ValidationProblem[]) =>
  new Problem({ kind: 'validation', detail: errors.map((e) => `${e.loc.join('.')}: ${e.msg}`).join('; '), errors })
export const notFound = (what: string, id: string) =>
  new Problem({ kind: 'not_found', detail: `${what} with id \`${id}\` not found` })
export const notFoundBecause = (detail: string) => new Problem({ kind: 'not_found', detail })
export const conflict = (detail: string, extra?: ProblemData['extra']) =>
  new Problem({ kind: 'conflict', detail, ...(extra && { extra }) })
export const unprocessable = (detail: string, extra?: ProblemData['extra']) =>
  new Problem({ kind: 'unprocessable', detail, ...(extra && { extra }) })
export const business = (code: string, detail: string) => new Problem({ kind: 'business', code, detail })
export const tooLarge = (detail: string) => new Problem({ kind: 'too_large', detail })
export const tooMany = (detail: string, retryAfterSeconds: number) => new Problem({ kind: 'too_many', detail, retryAfterSeconds })
/** An identity provider does not vouch for somebody, or somebody whom it vouches for may not come in. */
export const providerRefused = (detail: string, extra?: ProblemData['extra']) =>
  new Problem({ kind: 'provider_refused', detail, ...(extra && { extra }) })
/** Something outside of the server is not as it has to be, and whoever asks can do nothing about it. */
export const fault = (detail: string, extra?: ProblemData['extra']) =>
  new Problem({ kind: 'fault', detail, ...(extra && { extra }) })
export const unavailable = (detail: string, retryAfterSeconds = 1) =>
  new Problem({ kind: 'unavailable', detail, retryAfterSeconds })
