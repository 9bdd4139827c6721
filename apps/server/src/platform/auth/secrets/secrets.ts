import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export type Secrets = {
  /** Encrypts a string for storage with AES-256-GCM. Each call returns a different result. */
  readonly encrypt: (text: string) => string
  /** Decrypts the output of `encrypt`. Returns null if it was sealed with another secret or is damaged. */
  readonly decrypt: (sealed: string) => string | null
  /** Derives a 32-byte key for one purpose. It is the same in every process that has the secret. */
  readonly keyFor: (purpose: string) => Uint8Array
}

const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1.'

/**
 * @param master the secret that only the servers know. All keys are derived from it (HKDF-SHA-256, with a different info string
 * for each purpose)
 */
export const createSecrets = (master: string): Secrets => {
  const keyFor = (purpose: string) => new Uint8Array(hkdfSync('sha256', master, 'postil', purpose, 32))
  const key = keyFor('seal')
  return {
    keyFor,
    encrypt: (text) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return VERSION + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
    },
    decrypt: (sealed) => {
      if (!sealed.startsWith(VERSION)) return null
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url')
      if (bytes.length < IV_BYTES + TAG_BYTES) return null
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
        return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)).toString('utf8') + decipher.final('utf8')
      } catch {
        return null
      }
    },
  }
}
