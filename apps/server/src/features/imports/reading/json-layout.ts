import type { FileHandle } from 'node:fs/promises'
import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import type { JsonColumn, JsonItems, Layout } from '../inspect/layout.ts'
import type { ReadingChoice } from '../inspect/reading.ts'
import { itemText, memberText, parseRelaxed } from './json-rows.ts'
import { guessListHeading } from './list-heading.ts'
import { FileFault, type Position, pieces, type Splitter, textOf } from './pieces.ts'
import { type Member, type ScannedObject, scanObject } from './scan-object.ts'
import { splitLines, splitList, splitObjects } from './splitters.ts'
import { findNestedList, findWrappedList } from './wrapped-list.ts'

/** Number of bytes at the beginning of a file that are used to detect its format. */
const SAMPLE_BYTES = 64 * 1024
/** Number of rows at the beginning of a file from which the form of the file's rows is detected. */
const DECISIVE = 30

const headOf = async (file: FileHandle, { offset }: Position): Promise<string> => {
  const head = Buffer.alloc(SAMPLE_BYTES)
  const { bytesRead } = await file.read(head, 0, SAMPLE_BYTES, offset)
  return head.toString('latin1', 0, bytesRead)
}

/** The text of the first pieces of a file that aren't blank. Stops at the first piece that can't be read. */
const firstTexts = async (
  file: FileHandle,
  from: Position,
  splitter: Splitter,
  { until, limit = DECISIVE }: { readonly until?: number | undefined; readonly limit?: number } = {},
): Promise<{ readonly text: string; readonly end: Omit<Position, 'row'> }[]> => {
  const texts: { text: string; end: Omit<Position, 'row'> }[] = []
  try {
    for await (const { bytes, end } of pieces(file, from, splitter, until)) {
      const text = textOf(bytes).trim()
      if (text !== '') texts.push({ text, end })
      if (texts.length === limit) break
    }
  } catch (error) {
    // The fault is reported when the rows are read
    if (!(error instanceof FileFault)) throw error
  }
  return texts
}

/** Detects what kind of value each row of a file contains. Considers only the first rows. */
const itemsOf = (values: readonly unknown[]): JsonItems | undefined => {
  const known = values.filter((value) => value !== undefined)
  if (known.length === 0) return undefined
  const isPair = (value: unknown): boolean =>
    Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && isJsonObject(value[1])
  if (known.every(isPair)) return 'annotated'
  if (known.every(Array.isArray)) return 'lists'
  return known.every((value) => typeof value !== 'object' && value !== null) ? 'texts' : undefined
}

const valueIn = (text: string): unknown => {
  try {
    return parseRelaxed(text)
  } catch {
    return undefined
  }
}

type Items = Pick<Layout, 'items' | 'cellNames' | 'headingRow' | 'insideList'> & { readonly first?: Position }
type FirstValue = { readonly value: unknown; readonly end: Omit<Position, 'row'> }

/** How to read the rows of a file, given its first values. @param names the names of the columns, if the file has them */
const readItems = (first: readonly FirstValue[], { heading_row }: ReadingChoice, names?: readonly string[]): Items => {
  const items = itemsOf(first.map(({ value }) => value))
  if (items !== 'lists') return { ...(items && { items }) }
  const lists = first.flatMap(({ value }) => (Array.isArray(value) ? [value as readonly unknown[]] : []))
  if (names !== undefined) return { items, cellNames: names }
  const { cellNames, headingRow } = guessListHeading(lists, heading_row)
  const heading = headingRow === 0 ? undefined : first[headingRow - 1]
  return { items, cellNames, headingRow, ...(heading && { first: { ...heading.end, row: 0 }, insideList: true }) }
}

type JsonLayout = Pick<Layout, 'format'> & Partial<Layout>

/** Whether single quotes delimit strings, as in Python. */
const hasSingleQuotes = (head: string): boolean => /^\s*[[{(]\s*(?:[[{(]\s*)?'/.test(head)

/** The column names, if the file has them in a list next to the list of rows. pandas writes such files. */
const namesBeside = async (file: FileHandle, { members }: ScannedObject): Promise<readonly string[] | undefined> => {
  const columns = members.find(({ key, kind }) => key === 'columns' && kind === 'list')
  if (columns?.end === undefined || columns.end - columns.first.offset > SAMPLE_BYTES) return undefined
  const bytes = Buffer.alloc(columns.end - columns.first.offset)
  await file.read(bytes, 0, bytes.length, columns.first.offset)
  const names = valueIn(bytes.toString('utf8'))
  return Array.isArray(names) && names.every((name) => typeof name === 'string' || typeof name === 'number')
    ? names.map(String)
    : undefined
}

const listLayout = async (
  file: FileHandle,
  first: Position,
  choice: ReadingChoice,
  { until, areSingle, names }: { until?: number | undefined; areSingle: boolean; names?: readonly string[] | undefined },
): Promise<JsonLayout> => {
  const texts = await firstTexts(file, first, splitList({ begins: 'before', areSingle }), { until })
  const values = texts.map(({ text, end }, i) => ({ value: valueIn(itemText(text, i === 0)), end }))
  return {
    format: 'json',
    ...(areSingle && { areSingle: true }),
    ...(until !== undefined && { listEnd: until }),
    first,
    ...readItems(values, choice, names),
  }
}

/** Returns up to three members from the beginning of an object. Stops at the first member that is too large to be read. */
const firstMembers = async (file: FileHandle, from: Position): Promise<readonly JsonObject[]> => {
  const texts = await firstTexts(file, from, splitList({ begins: 'before', areMembers: true }), { limit: 3 })
  return texts.flatMap(({ text }, i) => {
    const member = valueIn(memberText(text, i === 0))
    return isJsonObject(member) ? [member] : []
  })
}

const isDigits = (key: string): boolean => /^\d+$/.test(key)
const firstKey = (value: unknown): string | undefined => (isJsonObject(value) ? Object.keys(value)[0] : undefined)

/** Returns the first key in each of the first three members of a file's only object. Reads only the beginning of each member. */
const firstKeysOf = async (file: FileHandle, members: readonly Member[]): Promise<readonly (string | undefined)[]> => {
  const keys: (string | undefined)[] = []
  for (const { first } of members.slice(0, 3)) {
    const head = await headOf(file, first)
    keys.push(/^\{\s*"((?:[^"\\]|\\.)*)"\s*:/.exec(head)?.[1])
  }
  return keys
}

/** Keys whose lists usually belong to a single record. Under other keys, a list may be a column. */
const TOKEN_NAMES = /^(tokens|words|ner_tags|tags|labels|spans|entities)$/i

const columnsOf = (members: readonly Member[]): readonly JsonColumn[] =>
  members.map(({ key, first, end = first.offset }) => ({ name: key, from: first, end }))

/** The columns of a file that groups its values by column, as pandas does by default. */
const columnsIn = async (file: FileHandle, { members, count, followed }: ScannedObject): Promise<Layout['byColumn']> => {
  const [first] = members
  if (followed || first === undefined || count !== members.length) return undefined
  if (members.every(({ kind }) => kind === 'object')) {
    const keys = await firstKeysOf(file, members)
    const areRows = keys.every((key) => key !== undefined && isDigits(key)) && !members.every(({ key }) => isDigits(key))
    return areRows ? { kind: 'objects', columns: columnsOf(members) } : undefined
  }
  const areLists = members.length > 1 && members.every(({ kind, items }) => kind === 'list' && items === first.items && items > 1)
  if (!areLists || members.some(({ key }) => TOKEN_NAMES.test(key))) return undefined
  return { kind: 'lists', columns: columnsOf(members) }
}

/** Whether the members of a file's only object are records: objects with the same keys. */
const areRecords = async (file: FileHandle, from: Position, { members, count, followed }: ScannedObject): Promise<boolean> => {
  if (followed || count < 2 || !members.every(({ kind }) => kind === 'object')) return false
  const values = (await firstMembers(file, from)).flatMap(Object.values)
  const [first] = values
  const keysOf = (value: unknown): string => (isJsonObject(value) ? JSON.stringify(Object.keys(value).toSorted()) : '')
  return values.length > 1 && firstKey(first) !== undefined && values.every((value) => keysOf(value) === keysOf(first))
}

/**
 * How to read a file that consists of one object. The object contains a list of records, values grouped by column, or records as
 * members. Null if it contains something else.
 */
const objectLayout = async (file: FileHandle, start: Position, choice: ReadingChoice): Promise<JsonLayout | null> => {
  const scanned = await scanObject(file, start)
  const list = (await findWrappedList(file, scanned)) ?? (await findNestedList(file, scanned))
  if (list !== null) {
    const names = list.firstItem === 'list' ? await namesBeside(file, scanned) : undefined
    return listLayout(file, list.first, choice, { until: list.end, areSingle: false, names })
  }
  const byColumn = await columnsIn(file, scanned)
  if (byColumn !== undefined) return { format: 'json', byColumn }
  return (await areRecords(file, start, scanned)) ? { format: 'json', areMembers: true } : null
}

/**
 * Detects the form of JSON, regardless of the file's name: a list, one value per line, objects on several lines, a list inside an
 * object, records as members of an object, or values by column.
 * @param named the format according to the file's name
 */
export const openJson = async (
  file: FileHandle,
  start: Position,
  named: 'json' | 'jsonl',
  choice: ReadingChoice,
): Promise<JsonLayout> => {
  const head = await headOf(file, start)
  const areSingle = hasSingleQuotes(head)
  const single = areSingle ? ({ areSingle: true } as const) : {}
  const lines = await firstTexts(file, start, splitLines())
  const [first, second] = lines.map(({ text }) => text)
  const isValue = (text: string | undefined): boolean => text !== undefined && valueIn(text) !== undefined
  const areLists = first !== undefined && second !== undefined && [first, second].every((text) => /^\[.*\]$/.test(text))
  if (/^\s*\[/.test(head) && !(areLists && isValue(first) && isValue(second)))
    return listLayout(file, start, choice, { areSingle })
  const object = /^\s*\{/.test(head) && !areSingle ? await objectLayout(file, start, choice) : null
  if (object !== null) return object
  const isLine = (text: string): boolean => !text.startsWith('{') || /^\{.*\}$/.test(text)
  const isObjectAcrossLines = async (): Promise<boolean> => {
    const [object] = await firstTexts(file, start, splitObjects(areSingle), { limit: 1 })
    return object !== undefined && isJsonObject(valueIn(object.text))
  }
  if (first?.startsWith('{') && !isLine(first) && (await isObjectAcrossLines()))
    return { format: 'jsonl', objectsSpanLines: true, ...single }
  const values = lines.map(({ text, end }) => ({ value: valueIn(text), end }))
  const areValues = isValue(first) && (second === undefined || isValue(second) || second.startsWith('{'))
  return areValues ? { format: 'jsonl', ...readItems(values, choice) } : { format: named, ...single }
}
