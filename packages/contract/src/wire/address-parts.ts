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

/** A name or value as it was before it became a part between separators. */
export const unescapePart = (part: string): string => part.replace(/![0-9A-F]{2}/g, (code) => codes[code] ?? code)
