import { randomBytes } from 'node:crypto'
import { recoveryCodes } from '@postil/contract/people/second-factor.ts'
import { Secret, TOTP } from 'otpauth'
import { hashToken } from '#platform/auth/credentials.ts'

const PERIOD = 30
/** Steps of the clock that a code may be early or late by: devices' clocks differ. */
const WINDOW = 1
/** RFC 4226 §4 asks for 160 bits. */
const SECRET_BYTES = 20

/** Time-based codes by RFC 6238 with what every authenticator app knows: SHA-1, six digits, thirty seconds. */
const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({ issuer: 'Postil', label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: PERIOD })

/** A new secret in base 32. */
export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** The address that an authenticator app scans. */
export const uriOf = (secret: string, username: string): string => totpOf(secret, username).toString()

/** The step of the clock that a code belongs to, seconds / 30; null when it is not of this time, or of another secret. */
export const stepOf = (secret: string, code: string): number | null => {
  const at = Date.now()
  const delta = totpOf(secret, '').validate({ token: code, timestamp: at, window: WINDOW })
  return delta === null ? null : Math.floor(at / 1000 / PERIOD) + delta
}

/** A code without what people put between its parts. */
export const plainCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toUpperCase()
export const isTimed = (code: string): boolean => /^\d{6}$/.test(code)

/** Without letters and digits that look like others. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 12

/** 60 bits: `XXXX-XXXX-XXXX`. */
const newRecoveryCode = (): string =>
  [...randomBytes(LENGTH)]
    .map((byte) => ALPHABET[byte % ALPHABET.length])
    .join('')
    .replaceAll(/.{4}(?=.)/g, '$&-')

export const newRecoveryCodes = (): readonly string[] => Array.from({ length: recoveryCodes }, newRecoveryCode)
/** What the store has of a recovery code. */
export const hashOf = (code: string): string => hashToken(plainCode(code))
