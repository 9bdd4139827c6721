/**
 * Why a sign-in failed. `refused`: the provider refused it, or the provider's response doesn't belong to this sign-in.
 * `unreachable`: the provider didn't respond, or its response can't be interpreted. `no_username`: the provider supplied no
 * usable username.
 */
type FaultReason = 'refused' | 'unreachable' | 'no_username'

export class ProviderFault extends Error {
  readonly reason: FaultReason
  /** A code for the log and for troubleshooting, such as `invalid_grant`. Contains nothing else from a response. */
  readonly code: string
  constructor(reason: FaultReason, code: string, cause?: unknown) {
    super(`${reason}: ${code}`, { cause })
    this.name = 'ProviderFault'
    this.reason = reason
    this.code = code
  }
}

/**
 * Returns a code if it has the format that the standard and libraries use. Otherwise, returns `unknown_error`, so that no other
 * text from a response is passed on.
 */
export const plainCode = (code: unknown): string =>
  typeof code === 'string' && /^[A-Za-z0-9_]{1,60}$/.test(code) ? code : 'unknown_error'

/** Library codes for responses that arrived but can't be trusted. */
const UNTRUSTED = new Set([
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_INVALID_RESPONSE',
])
const REFUSED = new Set(['ResponseBodyError', 'AuthorizationResponseError', 'WWWAuthenticateChallengeError'])

/** Classifies an error from the library or the network. */
export const faultOf = (error: unknown): ProviderFault => {
  if (error instanceof ProviderFault) return error
  const { name, code, status, error: said } = error as { name?: string; code?: unknown; status?: unknown; error?: unknown }
  // If a provider is down, a gateway in front of it may respond on its behalf.
  const isDown = typeof status === 'number' && status >= 500
  if (REFUSED.has(name ?? '') && !isDown) return new ProviderFault('refused', plainCode(said ?? code), error)
  if (UNTRUSTED.has(String(code))) return new ProviderFault('refused', plainCode(code), error)
  return new ProviderFault('unreachable', plainCode(code ?? name), error)
}
