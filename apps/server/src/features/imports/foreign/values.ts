import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import type { Part, Values } from './define.ts'

export const isFilled = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

export const isText = (value: unknown): value is string => typeof value === 'string'
export const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText)
export const isObjects = (value: unknown): value is readonly JsonObject[] => Array.isArray(value) && value.every(isJsonObject)
export const textIn = (value: unknown): string | undefined => (isText(value) && value !== '' ? value : undefined)

/** How deeply nested objects are unfolded into columns. */
const LEVELS = 2

/** The values of an object, keyed by path, such as `source` and `meta.source`. Values without content are left out. */
export const unfolded = (object: JsonObject, prefix = '', levels = LEVELS): readonly Part[] =>
  Object.entries(object).flatMap(([key, value]): readonly Part[] => {
    const path = `${prefix}${key}`
    if (isJsonObject(value) && levels > 1) return unfolded(value, `${path}.`, levels - 1)
    return isFilled(value) && !(isJsonObject(value) && Object.keys(value).length === 0) ? [[path, value]] : []
  })

/** The values of a row except those of some columns. Nested objects are unfolded. */
export const restOf = (row: Values, used: readonly string[]): readonly Part[] =>
  unfolded(Object.fromEntries([...row].filter(([name]) => !used.includes(name))) as JsonObject)

/** The given columns in which a row has content. */
export const filledOf = (row: Values, names: readonly string[]): readonly string[] =>
  names.filter((name) => isFilled(row.get(name)))

/** Converts a name to a valid agent name. Undefined if the result has no letters or digits. */
export const agentName = (name: string | undefined): string | undefined => {
  const plain = name?.replace(/[^a-zA-Z0-9\-_:./\s]/g, '_').slice(0, 200)
  return plain && /[a-zA-Z0-9]/.test(plain) ? plain : undefined
}
