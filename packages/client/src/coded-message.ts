/**
 * An error as data, for clients that translate it. `reason` is another message, or English text without a code. If the message is
 * too long for a header, the server sends only its code.
 */
export type CodedMessage = {
  readonly code: string
  readonly params?: { readonly [name: string]: string }
  readonly reason?: CodedMessage | string
}

/** Reads the `Postil-Error` header. Returns null if the header is missing or malformed. */
export const readCodedMessage = (header: string | null): CodedMessage | null => {
  if (header === null) return null
  try {
    const message: unknown = JSON.parse(decodeURIComponent(header))
    return typeof Reflect.get(Object(message), 'code') === 'string' ? (message as CodedMessage) : null
  } catch {
    return null
  }
}
