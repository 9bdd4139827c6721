/**
 * Values in our URLs are joined by `.`, `~` and `_`. A value's own ones are written `!2E`, `!7E`, `!5F`; `!` and `%` likewise.
 * Only the codes below are read back, so a `!` in a link from before (which escaped nothing) stays what it was.
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

const escapeCharacter = (character: string): string => `!${character.charCodeAt(0).toString(16).toUpperCase()}`

/** A name or value as one part between separators. */
export const escapePart = (value: string): string => value.toWellFormed().replace(/[!%.~_]/g, escapeCharacter)

/** Like `escapePart`, for a value that would read as a keyword or a bound (`operator`, `ge5`, `le5`) where it stands. */
export const escapeValue = (value: string): string => {
  const escaped = escapePart(value)
  return /^([gl]e[-.\d]|operator$)/i.test(value) ? escapeCharacter(escaped.charAt(0)) + escaped.slice(1) : escaped
}

export const unescapePart = (part: string): string => part.replace(/![0-9A-F]{2}/g, (code) => codes[code] ?? code)

/** Links from before are URI-encoded once more inside the parameter; ours have no bare `%`, so decoding does not touch them. */
export const decodeLegacy = (value: string): string => {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
