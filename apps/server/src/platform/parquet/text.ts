const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes UTF-8 text and keeps every character, including a leading byte order mark. */
export const textOf = (bytes: Uint8Array): string => utf8.decode(bytes)
