import { createHash, randomBytes } from 'node:crypto'

const API_KEY_BYTES = 80
const TOKEN_BYTES = 32

/** 107 characters, url-safe. */
export const newApiKey = (): string => randomBytes(API_KEY_BYTES).toString('base64url')

/** An unguessable text for sessions and sign-in links: 256 bits. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** A generated password, 20 characters: 120 bits. */
export const newPassword = (): string => randomBytes(15).toString('base64url')

/** What the store looks keys and tokens up by; whoever reads the store cannot use it. */
export const hashToken = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex')
