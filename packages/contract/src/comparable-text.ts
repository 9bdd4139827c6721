import type { JsonValue } from './wire/json.ts'

/**
 * Returns the same text for equal answer values. The order of a list's items doesn't matter: they are labels, spans, or options
 * with their ranks.
 */
export const comparableText = (value: JsonValue): string => {
  if (Array.isArray(value)) return `[${value.map(comparableText).sort().join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, item]) => item !== undefined && item !== null)
  return `{${entries
    .map(([key, item]) => `${JSON.stringify(key)}:${comparableText(item as JsonValue)}`)
    .sort()
    .join()}}`
}
