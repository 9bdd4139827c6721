import { Problem } from '@postil/contract/wire/errors.ts'
import { isJsonObject } from '@postil/contract/wire/json.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { isTooDeep, maxBodyDepth, parseJson } from '#platform/http/bodies/json-body.ts'
import type { Layout, RowWarning } from '../inspect/layout.ts'
import { withExactNumbers, withoutNaN } from '../rows/exact.ts'
import { textOf } from './pieces.ts'
import { strictJson } from './relaxed-json.ts'

export type Content = { readonly line?: number; readonly warnings?: readonly RowWarning[] } & (
  | { readonly values: ReadonlyMap<string, unknown> }
  | { readonly fault: Reason }
)

/**
 * Maximum length of JSON-like text (see `relaxed-json.ts`). Longer text is refused, because reading it would take a lot of
 * memory.
 */
const MAX_RELAXED = 1_000_000

/** The column for rows that consist of one value. */
export const TEXT = 'text'
/** The column for the key of each record, if the records are members of an object. */
const KEY = 'id'

/** The end of an item: a comma, or the bracket that closes the list or the object. */
const endOf = (areMembers: boolean): RegExp => (areMembers ? /[,}]$/ : /[,\]]$/)

/**
 * Removes the comma or closing bracket after an item of a list or a member of an object. For the first one, also removes the
 * opening bracket before it.
 */
export const itemText = (whole: string, isFirst: boolean, areMembers = false): string =>
  (isFirst ? whole.trimStart().slice(1) : whole).trim().replace(endOf(areMembers), '')

/** A member of an object as an object of its own. */
export const memberText = (whole: string, isFirst: boolean): string => `{${itemText(whole, isFirst, true)}}`

/** Parses JSON or JSON-like text (see `relaxed-json.ts`). @throws SyntaxError */
export const parseRelaxed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return JSON.parse(strictJson(text))
  }
}

/**
 * Parses a value so that no digit of a number is lost. @param bytes the text as bytes, if they are known. @throws Problem for
 * text that isn't JSON
 */
const parseExactly = (text: string, bytes?: Uint8Array): unknown => {
  const valid = withoutNaN(text)
  const parsed = parseJson(bytes !== undefined && valid === text ? bytes : Buffer.from(valid))
  const exact = withExactNumbers(valid)
  // Parsed first, because only valid JSON may be rewritten. Few rows contain numbers that must be rewritten, so parsing twice
  // is rare
  return exact === valid ? parsed : parseJson(Buffer.from(exact))
}

/** A row of the Hub's viewer, whose cells may be cut off. */
const viewerRow = (value: { readonly [key: string]: unknown }): Content | null => {
  const { row, row_idx, truncated_cells: cut } = value
  if (!isJsonObject(row) || typeof row_idx !== 'number' || !Array.isArray(cut)) return null
  const warnings = cut.map((name) => ({ column: String(name), reason: message('cellCutOff') }))
  return { values: new Map(Object.entries(row)), ...(warnings.length > 0 && { warnings }) }
}

const fromList = (cells: readonly unknown[], names: readonly string[]): Content => {
  if (cells.length > names.length) return { fault: message('rowCells', { found: cells.length, expected: names.length }) }
  return { values: new Map(names.map((name, i) => [name, cells[i] ?? null])) }
}

/** The values of a row, keyed by column. */
const contentOf = (value: unknown, { items, cellNames = [] }: Layout): Content => {
  if (items === 'lists') return Array.isArray(value) ? fromList(value, cellNames) : { fault: message('rowNotList') }
  if (items === 'texts') {
    if (value === undefined || typeof value === 'object') return { fault: message('rowNotText') }
    return { values: new Map([[TEXT, value]]) }
  }
  if (items === 'annotated') {
    const [text, marks] = Array.isArray(value) ? value : []
    if (typeof text !== 'string' || !isJsonObject(marks)) return { fault: message('rowNotList') }
    return { values: new Map<string, unknown>([[TEXT, text], ...Object.entries(marks)]) }
  }
  if (!isJsonObject(value)) return { fault: message('rowNotObject') }
  return viewerRow(value) ?? { values: new Map(Object.entries(value)) }
}

const jsonFault = (error: unknown, text: string): Reason => {
  if (!(error instanceof Problem)) throw error
  return isTooDeep(Buffer.from(text)) ? message('rowNested', { levels: maxBodyDepth }) : message('rowNotJson')
}

/** Reads a value as JSON. If it isn't JSON, reads it as JSON-like text (see `relaxed-json.ts`). */
const readValue = (text: string, bytes?: Uint8Array): { readonly value: unknown } | { readonly fault: Reason } => {
  try {
    return { value: parseExactly(text, bytes) }
  } catch (error) {
    const fault = jsonFault(error, text)
    if (text.length > MAX_RELAXED || isTooDeep(Buffer.from(text))) return { fault }
    try {
      return { value: parseExactly(strictJson(text)) }
    } catch {
      return { fault }
    }
  }
}

const fromJson = (text: string, layout: Layout, bytes?: Uint8Array): Content => {
  const read = readValue(text, bytes)
  return 'fault' in read ? read : contentOf(read.value, layout)
}

export const fromLine = (bytes: Uint8Array, layout: Layout): Content | null => {
  const text = textOf(bytes)
  return text.trim() === '' ? null : fromJson(text, layout, bytes)
}

/** A member of an object: a record with its key. */
const fromMember = (text: string): Content => {
  const read = readValue(`{${text}}`)
  if ('fault' in read) return read
  const [[key, value] = ['', null]] = Object.entries(read.value as object) as [string, unknown][]
  if (!isJsonObject(value)) return { fault: message('rowNotObject') }
  return { values: new Map<string, unknown>([...(KEY in value ? [] : [[KEY, key] as const]), ...Object.entries(value)]) }
}

/**
 * Reads one piece of a file that contains a list or an object. A piece is an item, the end of the list or object, the beginning
 * of another list, or text after the end.
 * @returns null if the piece contains no item and no error
 */
export const fromItem = (bytes: Uint8Array, isFirst: boolean, layout: Layout): Content | null => {
  const whole = textOf(bytes).trim()
  const { areMembers = false } = layout
  const inner = itemText(whole, isFirst, areMembers)
  const isEnded = endOf(areMembers).test(whole)
  if (inner.trim() === '') return whole.endsWith(',') ? { fault: message('nothingBeforeComma') } : null
  if (!isFirst && !isEnded) return inner === (areMembers ? '{' : '[') ? null : { fault: message('listEnded') }
  return areMembers ? fromMember(inner) : fromJson(inner, layout)
}

/** A piece of a column: a value, with its key if the column is an object. Null at the end of the column. */
export const fromColumn = (
  bytes: Uint8Array,
  isFirst: boolean,
  areMembers: boolean,
): { readonly key: string | null; readonly value: unknown } | { readonly fault: Reason } | null => {
  const inner = itemText(textOf(bytes), isFirst, areMembers)
  if (inner.trim() === '') return null
  const read = readValue(areMembers ? `{${inner}}` : inner)
  if ('fault' in read) return read
  if (!areMembers) return { key: null, value: read.value ?? null }
  const [[key, value] = ['', null]] = Object.entries(read.value as object) as [string, unknown][]
  return { key, value }
}
