const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes a text with all its characters, including a leading byte order mark. */
export const textOf = (bytes: Uint8Array): string => utf8.decode(bytes)
