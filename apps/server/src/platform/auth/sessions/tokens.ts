import { unauthorized } from '@postil/contract/wire/errors.ts'
import { parseUuid } from '@postil/contract/wire/scalars.ts'
import { jwtVerify, SignJWT } from 'jose'
import { type Micros, now } from '#platform/time.ts'
import type { User } from '../user.ts'

type TokenSettings = {
  readonly key: Uint8Array
  readonly algorithm: 'HS256' | 'HS384' | 'HS512'
  readonly seconds: number
}

export type Tokens = {
  /** Issues a bearer token for a user, with the same claims as in Argilla's API. */
  readonly issue: (user: User) => Promise<string>
  /**
   * Returns a token's user, issue time and factors. @throws Problem `unauthorized` for a malformed, expired or incorrectly
   * signed token
   */
  readonly read: (token: string) => Promise<{ readonly id: string; readonly issued_at: Micros; readonly hasShownTwo: boolean }>
}

const MICROS = 1_000_000
/** The RFC 8176 value for multiple-factor authentication. */
const TWO = 'mfa'

/**
 * Issues and reads bearer tokens. A token identifies its user by `identity`, never by name, because a new user with a reused
 * name must not inherit a live token.
 */
export const createTokens = ({ key, algorithm, seconds }: TokenSettings): Tokens => ({
  issue: ({ id, first_name, username, role, hasShownTwo }) =>
    // `iat` has a fraction (RFC 7519 allows it), so that a token made right after signing out everywhere is valid.
    new SignJWT({ identity: id, name: first_name, username, role, iat: now() / MICROS, ...(hasShownTwo && { amr: [TWO] }) })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
      .sign(key),
  read: async (token) => {
    const claims = await jwtVerify(token, key, { algorithms: [algorithm], requiredClaims: ['exp'] }).then(
      ({ payload }) => payload,
      () => null,
    )
    const id = typeof claims?.['identity'] === 'string' ? parseUuid(claims['identity']) : null
    if (id === null) throw unauthorized('Invalid token')
    const amr = claims?.['amr']
    return { id, issued_at: Math.round((claims?.iat ?? 0) * MICROS), hasShownTwo: Array.isArray(amr) && amr.includes(TWO) }
  },
})
