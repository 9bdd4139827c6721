const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** A text with all of its characters: a byte order mark that it begins with is one of them. */
export const textOf = (bytes: Uint8Array): string => utf8.decode(bytes)
