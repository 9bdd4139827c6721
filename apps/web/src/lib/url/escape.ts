const escapeCharacter = (character: string): string => `!${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Escapes a name or value as one part between separators. */
export const escapePart = (value: string): string => value.toWellFormed().replace(/[!%.~_]/g, escapeCharacter)

/** Like `escapePart`, for a value that could be mistaken for a keyword or bound (`operator`, `ge5`, `le5`) at its position. */
export const escapeValue = (value: string): string => {
  const escaped = escapePart(value)
  return /^([gl]e[-.\d]|operator$)/i.test(value) ? escapeCharacter(escaped.charAt(0)) + escaped.slice(1) : escaped
}

/**
 * Decodes old links, whose parameters are URI-encoded twice. New links contain no bare `%`, so decoding doesn't change them.
 */
export const decodeLegacy = (value: string): string => {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
