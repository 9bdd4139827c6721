/**
 * Values in page URLs are joined by `.`, `~` and `_`. Inside a value, these characters are escaped as `!2E`, `!7E` and `!5F`. `!`
 * and `%` are also escaped. Old links have no escapes, so an `!` in them must stay unchanged. Therefore, only the codes below are
 * decoded.
 */
const codes: { readonly [code: string]: string } = {
  '!21': '!',
  '!25': '%',
  '!2E': '.',
  '!2F': '/',
  '!47': 'G',
  '!4C': 'L',
  '!5F': '_',
  '!67': 'g',
  '!6C': 'l',
  '!4F': 'O',
  '!6F': 'o',
  '!7E': '~',
}

/** Decodes an escaped name or value. */
export const unescapePart = (part: string): string => part.replace(/![0-9A-F]{2}/g, (code) => codes[code] ?? code)

const escapeCharacter = (character: string): string => `!${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Escapes a name or value as one part between separators. */
export const escapePart = (value: string): string => value.toWellFormed().replace(/[!%.~_]/g, escapeCharacter)

/**
 * Like `escapePart`, but also escapes values that would be read as a keyword or a bound: `operator`, `ge5` or `le5`, for example.
 */
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
