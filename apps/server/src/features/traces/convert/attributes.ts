import { isJsonObject, type JsonObject, type JsonValue } from '@postil/contract/wire/json.ts'
import { parsedJson } from '#field-types/parsed-json.ts'

/** The attributes of a span, keyed by their dotted names. Values can be lists and objects. */
export type Attributes = ReadonlyMap<string, JsonValue>

/** Maximum nesting depth of objects that dotted names represent. At this depth, a name isn't split any further. */
const MAX_PARTS = 12

/** The members of nested objects, each with its dotted name. Lists aren't flattened. */
export const flattened = (object: JsonObject, prefix = '', depth = 0): [string, JsonValue][] =>
  Object.entries(object).flatMap(([key, value]): [string, JsonValue][] =>
    isJsonObject(value) && depth < MAX_PARTS && Object.keys(value).length > 0
      ? flattened(value, `${prefix}${key}.`, depth + 1)
      : [[`${prefix}${key}`, value]],
  )

const isIndex = (key: string): boolean => /^\d{1,6}$/.test(key)

/** Builds nested objects and lists from dotted names, such as `0.message.role`. */
const nested = (entries: readonly (readonly [string, JsonValue])[], depth = 0): JsonValue => {
  const groups = Map.groupBy(entries, ([name]) => {
    const dot = name.indexOf('.')
    return dot < 0 || depth >= MAX_PARTS ? name : name.slice(0, dot)
  })
  const members = [...groups].map(([key, group]): [string, JsonValue] => {
    const whole = group.find(([name]) => name === key)
    const inner = group.filter(([name]) => name !== key).map(([name, value]) => [name.slice(key.length + 1), value] as const)
    return [key, inner.length === 0 ? undotted(whole?.[1] ?? null) : nested(inner, depth + 1)]
  })
  const isList = members.length > 0 && members.every(([key]) => isIndex(key))
  if (!isList) return Object.fromEntries(members)
  return members.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value)
}

/**
 * Converts dotted names in the items of a list to nested objects: `[{"a.b": 1}]` becomes `[{"a": {"b": 1}}]`. Other values stay
 * the same.
 */
const undotted = (value: JsonValue): JsonValue => {
  if (!Array.isArray(value)) return value
  return value.map((item: JsonValue) =>
    isJsonObject(item) && Object.keys(item).some((key) => key.includes('.')) ? nested(Object.entries(item)) : item,
  )
}

/**
 * The value of an attribute: either the value with this exact name, or the values whose names begin with this name, as nested
 * objects and lists. Undefined if there are no such values.
 */
export const valueAt = (attributes: Attributes, name: string): JsonValue | undefined => {
  const whole = attributes.get(name)
  if (whole !== undefined && whole !== null && whole !== '') return undotted(parsedJson(whole))
  const prefix = `${name}.`
  const inner = [...attributes].flatMap(([key, value]) =>
    key.startsWith(prefix) ? [[key.slice(prefix.length), value] as const] : [],
  )
  return inner.length === 0 ? undefined : nested(inner)
}

export const firstValue = (attributes: Attributes, names: readonly string[]): JsonValue | undefined => {
  for (const name of names) {
    const value = valueAt(attributes, name)
    if (value !== undefined) return value
  }
  return undefined
}

/** Tries the names in order, and returns the first attribute value that is a string and isn't empty. */
export const firstText = (attributes: Attributes, names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value = attributes.get(name)
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** Tries the names in order, and returns the first attribute value that can be a count. */
export const firstCount = (attributes: Attributes, names: readonly string[]): number | undefined => {
  for (const name of names) {
    const value = Number(attributes.get(name) ?? Number.NaN)
    if (Number.isSafeInteger(value) && value >= 0) return value
  }
  return undefined
}
