const escapeCharacter = (character: string): string => `!${character.charCodeAt(0).toString(16).toUpperCase()}`

/** A name or value as one part between separators. */
export const escapePart = (value: string): string => value.toWellFormed().replace(/[!%.~_]/g, escapeCharacter)

/** Like `escapePart`, for a value that would read as a keyword or a bound (`operator`, `ge5`, `le5`) where it stands. */
export const escapeValue = (value: string): string => {
  const escaped = escapePart(value)
  return /^([gl]e[-.\d]|operator$)/i.test(value) ? escapeCharacter(escaped.charAt(0)) + escaped.slice(1) : escaped
}

/** Links from before are URI-encoded once more inside the parameter; ours have no bare `%`, so decoding does not touch them. */
export const decodeLegacy = (value: string): string => {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
