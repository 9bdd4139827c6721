import { type JsonValue, jsonFault } from '@postil/contract/wire/json.ts'

/** Returns the list or object that a text contains as JSON. Returns other values unchanged. */
export const parsedJson = (value: JsonValue): JsonValue => {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    const parsed = JSON.parse(value) as JsonValue
    // If the parsed value can't be stored exactly, the text is kept.
    return jsonFault(parsed) === null ? parsed : value
  } catch {
    return value
  }
}
