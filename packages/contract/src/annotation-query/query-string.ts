/** Reads `?a=b` into text values: `page=1` is '1', not a number. If a key is repeated, the last value wins. */
export const parseQueryString = (query: string): { [key: string]: string } => Object.fromEntries(new URLSearchParams(query))

/** Prints values as percent-encoded text. `~`, `.`, `_` and `!` stay readable. Undefined and empty values are left out. */
export const printQueryString = (search: { readonly [key: string]: unknown }): string => {
  const parts = Object.entries(search)
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value).toWellFormed())}`)
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}
