import { type JsonValue, jsonFault } from '@postil/contract/wire/json.ts'

/** A text that contains a list or an object as JSON is that value. Other values stay the same. */
export const parsedJson = (value: JsonValue): JsonValue => {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    const parsed = JSON.parse(value) as JsonValue
    // A value that can't be stored exactly stays a text.
    return jsonFault(parsed) === null ? parsed : value
  } catch {
    return value
  }
}
