import { isJsonObject, type JsonValue, jsonEquals } from '@postil/contract/wire/json.ts'
import type { ValueColumn } from '#question-types/define.ts'
import { strictJson } from '../reading/relaxed-json.ts'
import { isInexact, withExactNumbers } from './exact.ts'

const parsedJson = (text: string): unknown => {
  JSON.parse(text)
  return JSON.parse(withExactNumbers(text)) as unknown
}

/** Maximum length of a cell that is parsed as a list or an object in Python syntax. */
const MAX_PYTHON = 10_000

/** Parses a string that contains a list or an object, in JSON or Python syntax. Returns all other values unchanged. */
const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return parsedJson(value)
  } catch {
    try {
      return value.length > MAX_PYTHON ? value : parsedJson(strictJson(value))
    } catch {
      return value
    }
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
 * Converts a numeric string to a number unless that would change its value. Other values stay unchanged; validation handles them.
 */
export const numberOf = (value: unknown): unknown =>
  typeof value === 'string' && NUMBER.test(value) && !isInexact(value) ? Number(value) : value

/** Numbers with a comma before the decimals, and dots or spaces between thousands: `1.000,5`. */
const DECIMAL_COMMA = /^\s*[+-]?(\d{1,3}([.\u00a0 ]\d{3})+|\d+)(,\d+)?\s*$/

/** Whether all values are numbers, and at least one clearly has a decimal comma. `1,000` isn't clear: it may be one thousand. */
export const haveDecimalCommas = (values: readonly unknown[]): boolean => {
  const isCommaNumber = (value: unknown) => typeof value === 'string' && DECIMAL_COMMA.test(value)
  const isEvident = (value: unknown) => {
    const [whole = '', decimals] = String(value).trim().split(',')
    return decimals !== undefined && (decimals.length !== 3 || whole.includes('.'))
  }
  return values.length > 0 && values.every(isCommaNumber) && values.some(isEvident)
}

/** Replaces the decimal comma in a number with a dot. Other values stay unchanged. */
export const withDecimalPoint = (value: unknown): unknown =>
  typeof value === 'string' && DECIMAL_COMMA.test(value) ? value.replace(/[.\u00a0 ]/g, '').replace(',', '.') : value

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
 * Parses a string into the property value that it represents, because downloads write numbers, booleans and objects as text. If
 * the string represents none of the property's values, it is returned unchanged.
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
