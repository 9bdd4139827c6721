import { isJsonObject, type JsonValue, jsonEquals } from '@postil/contract/wire/json.ts'
import type { ValueColumn } from '#question-types/define.ts'
import { isInexact, withExactNumbers } from './exact.ts'

/** What a text of a table means as JSON, where it is a list or an object; otherwise the text. */
const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    JSON.parse(value)
    return JSON.parse(withExactNumbers(value)) as unknown
  } catch {
    return value
  }
}

const textOf = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : isJsonObject(value) || Array.isArray(value)
      ? JSON.stringify(value)
      : value

const NUMBER = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i
/** A text that is a number as one, unless it would be another one; anything else as it is, for the rules to refuse. */
export const numberOf = (value: unknown): unknown =>
  typeof value === 'string' && NUMBER.test(value) && !isInexact(value) ? Number(value) : value

const listOf = (value: unknown): unknown => {
  const list = parsed(value)
  return (Array.isArray(list) ? list : [list]).map(textOf)
}

/** The value of a cell as a column of this kind carries it. It is not checked: what does not fit stays what it is. */
export const castTo: { readonly [C in ValueColumn]: (value: unknown) => unknown } = {
  text: textOf,
  integer: numberOf,
  texts: listOf,
  json: parsed,
}

/** The value among those of a property that a text says, as a download writes numbers, true, false and objects; otherwise the text. */
const termAmong = (item: unknown, values: readonly JsonValue[]): unknown => {
  const others = values.filter((value) => typeof value !== 'string')
  if (typeof item !== 'string' || others.length === 0 || values.includes(item)) return item
  try {
    const said: unknown = JSON.parse(item)
    return others.find((value) => jsonEquals(value, said)) ?? item
  } catch {
    return item
  }
}

/**
 * Terms stand in a table as they are, or as a list in JSON; a list without any is no value.
 * @param values those that the property has; none for any
 */
export const termsOf = (value: unknown, values: readonly JsonValue[]): unknown => {
  const list = parsed(value)
  if (!Array.isArray(list)) return termAmong(isJsonObject(list) ? value : list, values)
  const items = list.filter((item) => item !== null).map((item) => termAmong(item, values))
  return items.length === 0 ? null : items
}
