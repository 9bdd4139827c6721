/**
 * Values in page URLs are joined by `.`, `~` and `_`. Inside a value these characters are escaped as `!2E`, `!7E` and `!5F`, and
 * `!` and `%` are escaped too. Only the codes below are decoded, so that `!` in old links, which had no escapes, is unchanged.
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
