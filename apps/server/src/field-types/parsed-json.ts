import { type JsonValue, jsonFault } from '@postil/contract/wire/json.ts'

/** If a string contains a list or object as JSON, returns the parsed list or object. Returns other values unchanged. */
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
