import { randomBytes } from 'node:crypto'
import { recoveryCodes } from '@postil/contract/people/second-factor.ts'
import { Secret, TOTP } from 'otpauth'
import { hashToken } from '#platform/auth/credentials.ts'

const PERIOD = 30
/** Number of time steps by which a code may be early or late, because device clocks differ. */
const WINDOW = 1
/** 160 bits, as RFC 4226 §4 recommends. */
const SECRET_BYTES = 20

/** Time-based codes (RFC 6238) with parameters that every authenticator app supports: SHA-1, six digits, thirty seconds. */
const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({ issuer: 'Postil', label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: PERIOD })

export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** The URI that an authenticator app scans. */
export const uriOf = (secret: string, username: string): string => totpOf(secret, username).toString()

/** The time step of a code (seconds / 30), or null when the code is outside the window or was made with another secret. */
export const stepOf = (secret: string, code: string): number | null => {
  const at = Date.now()
  const delta = totpOf(secret, '').validate({ token: code, timestamp: at, window: WINDOW })
  return delta === null ? null : Math.floor(at / 1000 / PERIOD) + delta
}

/** Removes the spaces and dashes that people type in a code, and converts letters to upper case. */
export const plainCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toUpperCase()
export const isTimed = (code: string): boolean => /^\d{6}$/.test(code)

/** The letters and digits of recovery codes. Characters that look alike are left out. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 12

/** Generates a 60-bit recovery code in the form `XXXX-XXXX-XXXX`. */
const newRecoveryCode = (): string =>
  [...randomBytes(LENGTH)]
    .map((byte) => ALPHABET[byte % ALPHABET.length])
    .join('')
    .replaceAll(/.{4}(?=.)/g, '$&-')

export const newRecoveryCodes = (): readonly string[] => Array.from({ length: recoveryCodes }, newRecoveryCode)
/** The hash of a recovery code. Only the hash is stored. */
export const hashOf = (code: string): string => hashToken(plainCode(code))
