import { isJsonObject, type JsonValue, jsonEquals } from '@postil/contract/wire/json.ts'
import type { ValueColumn } from '#question-types/define.ts'
import { isInexact, withExactNumbers } from './exact.ts'

/** Parses a text that is a JSON list or object; otherwise returns the text. */
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
/**
 * Converts a numeric text to a number unless that would change its value. Other values stay unchanged; validation handles them.
 */
export const numberOf = (value: unknown): unknown =>
  typeof value === 'string' && NUMBER.test(value) && !isInexact(value) ? Number(value) : value

const listOf = (value: unknown): unknown => {
  const list = parsed(value)
  return (Array.isArray(list) ? list : [list]).map(textOf)
}

/** Casts a cell to the type of a column. Not validated: a value that doesn't fit stays unchanged. */
export const castTo: { readonly [C in ValueColumn]: (value: unknown) => unknown } = {
  text: textOf,
  integer: numberOf,
  texts: listOf,
  json: parsed,
}

/**
 * Parses a text into the property value that it represents, because downloads write numbers, booleans and objects as text.
 * Otherwise returns the text.
 */
const termAmong = (item: unknown, values: readonly JsonValue[]): unknown => {
  const others = values.filter((value) => typeof value !== 'string')
  if (typeof item !== 'string' || others.length === 0 || values.includes(item)) return item
  try {
    const parsedItem: unknown = JSON.parse(item)
    return others.find((value) => jsonEquals(value, parsedItem)) ?? item
  } catch {
    return item
  }
}

/**
 * Terms from a cell, which contains either a plain term or a JSON list. An empty list means no value.
 * @param values the values that the property allows; empty if it allows any
 */
export const termsOf = (value: unknown, values: readonly JsonValue[]): unknown => {
  const list = parsed(value)
  if (!Array.isArray(list)) return termAmong(isJsonObject(list) ? value : list, values)
  const items = list.filter((item) => item !== null).map((item) => termAmong(item, values))
  return items.length === 0 ? null : items
}
