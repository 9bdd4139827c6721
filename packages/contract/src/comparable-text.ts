import type { JsonValue } from './wire/json.ts'

/**
 * Returns the same text for equal answer values. Ignores the order of a list's items, because the items are labels, spans, or
 * options with their ranks.
 */
export const comparableText = (value: JsonValue): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(comparableText).sort().join()}]`
  const entries = value as { readonly [key: string]: JsonValue | undefined }
  let text = ''
  for (const key of Object.keys(entries).sort()) {
    const item = entries[key]
    if (item === undefined || item === null) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${comparableText(item)}`
  }
  return `{${text}}`
}
