import { createHash, randomBytes } from 'node:crypto'

const API_KEY_BYTES = 80
const TOKEN_BYTES = 32

/** 107 characters, URL-safe. */
export const newApiKey = (): string => randomBytes(API_KEY_BYTES).toString('base64url')

/** An unguessable 256-bit token for sessions and sign-in links. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** A generated 20-character password with 120 bits of entropy. */
export const newPassword = (): string => randomBytes(15).toString('base64url')

/** The hash by which the store looks up keys and tokens. Somebody who reads the store can't sign in with it. */
export const hashToken = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex')
