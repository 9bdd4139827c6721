/**
 * Why nobody was signed in:
 * `refused`: the provider said no, or what it said does not belong to this sign-in;
 * `unreachable`: it did not answer, or not in a way that makes sense;
 * `no_username`: it told no name that could be one here.
 */
export type FaultReason = 'refused' | 'unreachable' | 'no_username'

export class ProviderFault extends Error {
  readonly reason: FaultReason
  /** A word for the log and for people who look for the cause, such as `invalid_grant`. It holds nothing of an answer. */
  readonly code: string
  constructor(reason: FaultReason, code: string, cause?: unknown) {
    super(`${reason}: ${code}`, { cause })
    this.name = 'ProviderFault'
    this.reason = reason
    this.code = code
  }
}

/** Words of the standard, and of libraries. Whatever else an answer holds is not repeated. */
export const plainCode = (code: unknown): string =>
  typeof code === 'string' && /^[A-Za-z0-9_]{1,60}$/.test(code) ? code : 'unknown_error'

/** Codes of the library for answers that came and are not to be trusted. */
const UNTRUSTED = new Set([
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_INVALID_RESPONSE',
])
const SAID_NO = new Set(['ResponseBodyError', 'AuthorizationResponseError', 'WWWAuthenticateChallengeError'])

/** What an error of the library or of the network means. */
export const faultOf = (error: unknown): ProviderFault => {
  if (error instanceof ProviderFault) return error
  const { name, code, status, error: said } = error as { name?: string; code?: unknown; status?: unknown; error?: unknown }
  // NOTE: a gateway in front of a provider that is down may answer in its name
  const isDown = typeof status === 'number' && status >= 500
  if (SAID_NO.has(name ?? '') && !isDown) return new ProviderFault('refused', plainCode(said ?? code), error)
  if (UNTRUSTED.has(String(code))) return new ProviderFault('refused', plainCode(code), error)
  return new ProviderFault('unreachable', plainCode(code ?? name), error)
}
