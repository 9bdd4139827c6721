/**
 * Why a sign-in failed. `refused`: the provider refused it, or its answer does not belong to this sign-in. `unreachable`: the
 * provider did not answer, or its answer makes no sense. `no_username`: the provider supplied no usable username.
 */
export type FaultReason = 'refused' | 'unreachable' | 'no_username'

export class ProviderFault extends Error {
  readonly reason: FaultReason
  /** A code for the log and for troubleshooting, such as `invalid_grant`. Contains no other data from an answer. */
  readonly code: string
  constructor(reason: FaultReason, code: string, cause?: unknown) {
    super(`${reason}: ${code}`, { cause })
    this.name = 'ProviderFault'
    this.reason = reason
    this.code = code
  }
}

/** Accepts only codes as the standard and libraries define them. Nothing else from an answer is repeated. */
export const plainCode = (code: unknown): string =>
  typeof code === 'string' && /^[A-Za-z0-9_]{1,60}$/.test(code) ? code : 'unknown_error'

/** Library codes for answers that arrived but can't be trusted. */
const UNTRUSTED = new Set([
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_INVALID_RESPONSE',
])
const REFUSED = new Set(['ResponseBodyError', 'AuthorizationResponseError', 'WWWAuthenticateChallengeError'])

/** Classifies an error of the library or of the network. */
export const faultOf = (error: unknown): ProviderFault => {
  if (error instanceof ProviderFault) return error
  const { name, code, status, error: said } = error as { name?: string; code?: unknown; status?: unknown; error?: unknown }
  // A gateway in front of a provider that is down may answer on its behalf.
  const isDown = typeof status === 'number' && status >= 500
  if (REFUSED.has(name ?? '') && !isDown) return new ProviderFault('refused', plainCode(said ?? code), error)
  if (UNTRUSTED.has(String(code))) return new ProviderFault('refused', plainCode(code), error)
  return new ProviderFault('unreachable', plainCode(code ?? name), error)
}
