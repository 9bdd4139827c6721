import { createHash, randomBytes } from 'node:crypto'

const API_KEY_BYTES = 80
const TOKEN_BYTES = 32

/** 107 characters, URL-safe. */
export const newApiKey = (): string => randomBytes(API_KEY_BYTES).toString('base64url')

/** An unguessable token of 256 bits for sessions and sign-in links. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** A generated password of 20 characters: 120 bits. */
export const newPassword = (): string => randomBytes(15).toString('base64url')

/** The hash that the store looks keys and tokens up by. A person who reads the store can't use it to sign in. */
export const hashToken = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex')
