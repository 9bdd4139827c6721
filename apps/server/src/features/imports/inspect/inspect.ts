import {
  type ColumnProposal,
  type ColumnType,
  type ImportColumn,
  maxColumnValues,
  shownRows,
} from '@postil/contract/files/imports.ts'
import { labelsInCell } from '@postil/contract/files/labels-in-cell.ts'
import { isJsonObject } from '@postil/contract/wire/json.ts'
import { serverFieldTypes } from '#field-types/registry.ts'
import { isRounded } from '#platform/parquet/exact-values.ts'
import { serverQuestionTypes } from '#question-types/registry.ts'
import { answerParts, areRecordIds, EXTERNAL_ID, RECORD_ID } from '../own-file.ts'
import { castTo, haveDecimalCommas, numberOf, withDecimalPoint } from '../rows/cast.ts'
import { isGreat } from '../rows/exact.ts'
import type { SourceRow } from './layout.ts'
import { separatorOf, severalLabels, withGroups, withScores } from './several-labels.ts'
import { isOrigin, isTechnical } from './technical-names.ts'

/** Number of rows from which column types are inferred. */
export const INSPECTED = 1000
/** Maximum number of columns to report, because JSON objects may have arbitrary keys. */
const MAX_COLUMNS = 1000
const SAMPLES = 5
const SAMPLE_LENGTH = 200
/** Maximum length of a value in a column of labels. */
export const MAX_VALUE_LENGTH = SAMPLE_LENGTH
/** A column with more distinct values than this isn't treated as a column of labels. */
const MAX_LABELS = 20
const MAX_LABEL_LENGTH = 50
const MAX_TERM_LENGTH = 100
const RATINGS = { min: 0, max: 10 }
/** The largest class number of a label question. Larger numbers are amounts, years or identifiers. */
const MAX_CLASS = 100
/** Names of columns whose integers are ratings. */
const RATING_NAME = /rating|score|star|grade|likert|quality|bewertung|note|punkte|puntuaci|valoraci|calificaci|estrella/i
/** Dates, with or without a time. */
const DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}( \d{1,2}:\d{2}.*)?$/
/** Whether a cell holds several values, and so isn't a single label. */
const hasSeveral = (text: string): boolean => text.includes('|') || (text.trim().startsWith('[') && text.trim().endsWith(']'))
const WEB_ADDRESS = /^https?:\/\/\S+$/i

type Value = { readonly type: Exclude<ColumnType, 'mixed' | 'empty'>; readonly value: unknown }

const typed = (value: unknown): Value => {
  if (Array.isArray(value)) return { type: 'list', value }
  if (isJsonObject(value)) return { type: 'object', value }
  if (typeof value === 'boolean') return { type: 'boolean', value }
  if (typeof value === 'number') return { type: Number.isSafeInteger(value) ? 'integer' : 'float', value }
  return { type: 'text', value }
}

/** The typed value of a text cell. Digits with a leading zero are a code, not a number. */
const readText = (text: unknown): Value => {
  if (typeof text !== 'string') return typed(text)
  if (/^(true|false)$/i.test(text)) return { type: 'boolean', value: text }
  if (/^[+-]?0\d/.test(text)) return { type: 'text', value: text }
  const number = numberOf(text)
  return typed(typeof number === 'number' && Number.isFinite(number) ? number : castTo.json(text))
}

const typeOf = (values: readonly Value[]): ColumnType => {
  const types = new Set(values.map(({ type }) => type))
  const [first] = types
  if (first === undefined) return 'empty'
  if (types.size === 1) return first
  return [...types].every((type) => type === 'integer' || type === 'float') ? 'float' : 'mixed'
}

const isInteger = (text: string): boolean => /^[+-]?\d+$/.test(text)
const propose = (role: ColumnProposal['role'], type: string | null): ColumnProposal => ({ role, type })

/** Proposes the type of field or question that recognizes all values. Null if there is no such type. */
const recognized = (values: readonly unknown[]): ColumnProposal | null => {
  if (values.flat().length === 0) return null
  const knows = ({ recognizes }: { readonly recognizes?: (value: unknown) => boolean }): boolean =>
    recognizes !== undefined && values.every(recognizes)
  const field = Object.values(serverFieldTypes).find(knows)
  if (field !== undefined) return propose('field', field.kind)
  const question = Object.values(serverQuestionTypes).find(knows)
  return question === undefined ? null : propose('suggestion', question.kind)
}

/** Whether a column repeats its values, as labels do. */
const isRepeated = (values: readonly unknown[], distinct: number): boolean =>
  values.length >= 4 && distinct >= 2 && distinct * 2 <= values.length

const ofTexts = (texts: readonly string[], name: string): ColumnProposal => {
  if (texts.every((text) => DATE.test(text)) || texts.every((text) => WEB_ADDRESS.test(text))) return propose('metadata', 'terms')
  // Large numbers are usually identifiers. As terms, they keep all their digits
  if (texts.some(isGreat) && texts.every(isInteger)) return propose('metadata', 'terms')
  if (texts.every(isRounded)) return propose('metadata', 'float')
  const distinct = new Set(texts).size
  const longest = Math.max(...texts.map(({ length }) => length))
  const isConstant = distinct === 1 && texts.length >= 4
  const areShort = distinct <= MAX_LABELS && longest <= MAX_LABEL_LENGTH
  const lookLikeLabels = isRepeated(texts, distinct) && areShort && !texts.some(hasSeveral)
  if (lookLikeLabels) return isOrigin(name) ? propose('metadata', 'terms') : propose('suggestion', 'label_selection')
  return (isConstant || isRepeated(texts, distinct)) && longest <= MAX_TERM_LENGTH
    ? propose('metadata', 'terms')
    : propose('field', 'text')
}

const ofLists = (lists: readonly unknown[]): ColumnProposal | null => {
  const items = lists.flat()
  if (items.length === 0 || !items.every((item) => typeof item === 'string')) return null
  const distinct = new Set(items).size
  return distinct >= 2 && distinct <= MAX_LABELS ? propose('suggestion', 'multi_label_selection') : propose('metadata', 'terms')
}

/**
 * Parses lists that are stored as JSON text: in workbooks, whose cells can't hold lists, and in some columns of a Parquet
 * download.
 * @param isOwn whether the file is a Postil download. In other files, lists that don't fit any target stay text
 */
const listsIn = (values: readonly unknown[], isOwn: boolean): readonly unknown[] | null => {
  if (values.length === 0 || !values.every((value) => typeof value === 'string' && /^\s*\[/.test(value))) return null
  const lists = values.map(castTo.json)
  return lists.every(Array.isArray) && (isOwn || (recognized(lists) ?? ofLists(lists)) !== null) ? lists : null
}

/**
 * Whether integers are ratings: the column's name says so, and there are more than two values on a scale from 0 or 1 to at most
 * 10.
 */
const areRatings = (numbers: readonly number[], name: string): boolean =>
  new Set(numbers).size > 2 && RATING_NAME.test(name) && numbers.every((number) => number >= RATINGS.min && number <= RATINGS.max)

/** Returns a scale that contains these ratings and starts at 0 or 1. The scale can contain values that occur in no row. */
const scaleOf = (ratings: readonly number[]): string[] => {
  const least = Math.min(1, ...ratings)
  return Array.from({ length: Math.max(...ratings) - least + 1 }, (_, i) => String(least + i))
}

/**
 * Proposes a rating if the column's name suggests one. Proposes a label question if the integers are small and recur, because
 * they may be class numbers. Otherwise, proposes metadata.
 */
const ofIntegers = (numbers: readonly number[], name: string): ColumnProposal => {
  const distinct = new Set(numbers).size
  if (areRatings(numbers, name)) return propose('suggestion', 'rating')
  const isClass = numbers.every((number) => Math.abs(number) <= MAX_CLASS) && !isTechnical(name)
  return isClass && distinct <= MAX_LABELS && isRepeated(numbers, distinct)
    ? propose('suggestion', 'label_selection')
    : propose('metadata', 'integer')
}

const proposalOf = (name: string, type: ColumnType, values: readonly unknown[]): ColumnProposal | null => {
  const known = recognized(values)
  if (known !== null) return known
  switch (type) {
    case 'text':
      return ofTexts(values.map(String), name)
    case 'list':
      return ofLists(values)
    case 'integer':
      return ofIntegers(values.map(Number), name)
    case 'float':
      return propose('metadata', 'float')
    case 'boolean':
      return propose('metadata', 'terms')
    default:
      return null
  }
}

/** The proposal for a column of a Postil download. The column's name determines what its values are. */
const ofOwnColumn = (name: string, type: ColumnType, proposal: ColumnProposal | null): ColumnProposal | null => {
  if (name.endsWith('.suggestion') && type === 'list' && proposal?.role === 'metadata')
    return propose('suggestion', 'multi_label_selection')
  if (name.startsWith('metadata.') && proposal?.role === 'suggestion')
    return propose('metadata', type === 'integer' ? 'integer' : 'terms')
  return proposal
}

/** Facts about all rows of a column: its distinct strings, if there are few, and the range of its numbers. */
export type WholeColumn = { readonly values: readonly string[] | null; readonly min: number | null; readonly max: number | null }

/**
 * Refines a column that was inferred from its first rows, using all of its rows. Needed because rows may be sorted by label.
 */
export const withWholeColumn = (column: ImportColumn, whole: WholeColumn | undefined): ImportColumn => {
  const { type, proposal } = column
  if (whole === undefined || proposal === null || proposal.role === 'external_id') return column
  const { values, min, max } = whole
  if (type === 'integer' && min !== null && max !== null) {
    // The list of labels must be complete, because a row with an unlisted label would not be imported
    const seen = column.values?.map(Number) ?? []
    const isRating = areRatings([...seen, min, max], column.name)
    const isWhole = isRating || (seen.includes(min) && seen.includes(max))
    if (proposal.role === 'suggestion' && !isWhole) return { ...column, proposal: propose('metadata', 'integer') }
    return isRating && proposal.role === 'suggestion' ? { ...column, values: scaleOf([...seen, min, max]) } : column
  }
  if (type !== 'text' || values === null) return column
  const known = recognized(values)
  if (known !== null) return { ...column, proposal: known, values: known.role === 'suggestion' ? [...values] : column.values }
  const isShort = values.every(({ length }) => length <= MAX_LABEL_LENGTH)
  if (values.length < 2 || values.length > MAX_LABELS || !isShort || isOrigin(column.name)) return column
  return { ...column, proposal: propose('suggestion', 'label_selection'), values: [...values] }
}

/**
 * Whether a column holds record IDs. In such a column, most rows have a value, and all values are distinct. Rows without a value
 * get an ID that consists of the file's name and the row's position.
 */
const isId = (name: string, values: readonly unknown[], rows: number): boolean => {
  const isKey = /(^|[^a-z])key$/i.test(name)
  if (!isKey && !/(^|[^a-z])(id|uuid|guid)$/i.test(name) && !/[a-z](Id|ID)$|[A-Z]Id$/.test(name)) return false
  const texts = values.map(String).filter((text) => text.trim() !== '')
  // A column called `key` may contain explanations in plain language instead of keys. Keys must therefore not contain spaces.
  const form = isKey ? /^\S{1,200}$/ : /^[^\r\n]+$/
  return texts.length * 2 > rows && new Set(texts).size === texts.length && texts.every((text) => form.test(text))
}

/**
 * The type of a column of numbers. Some values may be strings, because they have too many digits for a number. Null if the column
 * has other values.
 */
const longNumbers = (values: readonly unknown[]): 'text' | 'float' | null => {
  const isLong = (value: unknown) => typeof value === 'string' && (isGreat(value) || isRounded(value))
  if (!values.every((value) => typeof value === 'number' || isLong(value))) return null
  if (values.some((value) => typeof value === 'string' && isRounded(value))) return 'float'
  return values.every((value) => typeof value === 'string' || Number.isInteger(value)) ? 'text' : 'float'
}

const shown = (value: unknown): string => String(castTo.text(value)).slice(0, SAMPLE_LENGTH).toWellFormed()

/** All distinct values, including list items; null when there are too many, or one is too long for a label. */
const valuesOf = (values: readonly unknown[]): string[] | null => {
  const different = new Set<string>()
  for (const value of values.flat()) {
    const text = String(castTo.text(value))
    if (text.trim() !== '') different.add(text.trim())
    if (different.size > maxColumnValues || text.length > MAX_VALUE_LENGTH) return null
  }
  return [...different]
}

type ReadColumn = { readonly type: ColumnType; readonly values: readonly unknown[]; readonly separator: string | null }

const proposedUse = (name: string, { type, values, separator }: ReadColumn): ColumnProposal | null =>
  separator === null ? proposalOf(name, type, values) : severalLabels

const withSeparator = (column: ImportColumn, separator: string | null): ImportColumn =>
  separator === null ? column : { ...column, separator }

/** The values of a column. With a separator, each value is split into its labels. */
const labelsIn = (values: readonly unknown[], separator: string | null): readonly unknown[] =>
  separator === null ? values : values.map((value) => labelsInCell(String(value), separator))

/** The first readable rows, with cells in column order. */
export const firstRows = (rows: readonly SourceRow[], columns: readonly ImportColumn[]): (string | null)[][] =>
  rows
    .flatMap((source) => ('values' in source ? [source.values] : []))
    .slice(0, shownRows)
    .map((values) => columns.map(({ name }) => ((values.get(name) ?? null) === null ? null : shown(values.get(name)))))

/** Determines a column's type from all of its values, and converts the values to this type. */
const readColumn = (
  all: readonly unknown[],
  { isTable, isOwn }: { readonly isTable: boolean; readonly isOwn: boolean },
): { readonly type: ColumnType; readonly values: readonly unknown[] } => {
  // In a file that quotes every cell, an empty string means no value. An empty list also means no value
  const given = all.filter((value) => value !== '' && !(Array.isArray(value) && value.length === 0))
  const texts = isTable && haveDecimalCommas(given) ? given.map(withDecimalPoint) : given
  const sent = texts.length > 0 || !isTable ? texts : all
  const lists = isTable ? null : listsIn(sent, isOwn)
  if (lists !== null) return { type: 'list', values: lists }
  const read = sent.map(isTable ? readText : typed)
  const found = typeOf(read)
  // In a table every cell is text, so a column of mixed types is text. In other files, a column can look mixed because numbers
  // with too many digits are strings. `longNumbers` then determines its type
  const type = found === 'mixed' ? (isTable ? 'text' : (longNumbers(sent) ?? found)) : found
  return { type, values: found === type ? read.map(({ value }) => value) : sent }
}

const isTerms = ({ type, proposal }: ImportColumn): boolean =>
  type === 'text' && proposal?.role === 'metadata' && proposal.type === 'terms'

/** Whether a column can be used as a field if no better column exists. Identifiers and questions keep their role. */
const canBeField = ({ type, proposal }: ImportColumn): boolean =>
  type !== 'empty' && type !== 'object' && type !== 'list' && proposal?.role === 'metadata'

/** Whether a column has nested values, which a text field shows as JSON. */
const isNested = ({ type, proposal }: ImportColumn): boolean =>
  proposal === null && (type === 'object' || type === 'list' || type === 'mixed')

/** The column to use as the field if no column looks like a field. External IDs can't become fields. */
const onlyField = (columns: readonly ImportColumn[]): ImportColumn | undefined =>
  [isTerms, canBeField, isNested, ({ type }: ImportColumn) => type === 'text']
    .map((test) => columns.find((column) => column.proposal?.role !== 'external_id' && test(column)))
    .find((column) => column !== undefined)

/**
 * Records need a field, and annotators need a question. If no column is proposed as a field, this function proposes the best
 * candidate. If no column is proposed as a question, it looks for other columns with recurring text that can be labels. If there
 * is exactly one such column, it proposes the column's values as labels, even if there are many distinct values.
 */
const withOnlyCandidates = (columns: readonly ImportColumn[]): readonly ImportColumn[] => {
  const has = (role: ColumnProposal['role']): boolean => columns.some(({ proposal }) => proposal?.role === role)
  const field = has('field') ? undefined : onlyField(columns)
  const labels = columns.filter((column) => column !== field && isTerms(column) && areLabels(column))
  const [only] = has('suggestion') || labels.length > 1 ? [] : labels
  return columns.map((column) => {
    if (column === field) return { ...column, proposal: propose('field', 'text') }
    return column === only ? { ...column, proposal: propose('suggestion', 'label_selection') } : column
  })
}

/** Whether the values of a column of terms can be labels. Long numbers, dates and web addresses can't be labels. */
const areLabels = ({ name, values }: ImportColumn): boolean =>
  values !== null &&
  values.length >= 2 &&
  !isTechnical(name) &&
  !isOrigin(name) &&
  !values.every(isInteger) &&
  values.every((text) => text.length <= MAX_LABEL_LENGTH && !hasSeveral(text) && !DATE.test(text) && !WEB_ADDRESS.test(text))

const none: ReadonlyMap<string, readonly unknown[]> = new Map()

/**
 * The columns of some rows in order of first appearance, with a proposed use for each.
 * @param later values that occur after these rows, by column
 */
export const inspect = (
  rows: readonly SourceRow[],
  header: readonly string[],
  isTable: boolean,
  later = none,
): readonly ImportColumn[] => {
  const columns = new Map<string, unknown[]>(header.map((name) => [name, []]))
  let rowCount = 0
  for (const source of rows) {
    if ('fault' in source) continue
    rowCount += 1
    for (const [name, value] of source.values) {
      const known = columns.get(name) ?? []
      if (value !== null) known.push(value)
      columns.set(name, known)
    }
  }
  const complete = new Set([...columns].flatMap(([name, { length }]) => (length === rowCount ? [name] : [])))
  for (const [name, values] of later) columns.get(name)?.push(...values)
  const isOwn = areRecordIds(columns.get(RECORD_ID) ?? []) && columns.has(EXTERNAL_ID)
  const answerColumns = isOwn ? answerParts(new Set(columns.keys())) : new Set<string>()
  const isNamed = (name: string, values: readonly unknown[]): boolean =>
    isOwn ? name === EXTERNAL_ID && values.some((value) => String(value).trim() !== '') : isId(name, values, rowCount)
  let hasId = false
  const proposed = [...columns].slice(0, MAX_COLUMNS).map(([name, sent]) => {
    const { type, values } = readColumn(sent, { isTable, isOwn })
    const plain = type === 'text' || type === 'integer'
    const isExternal: boolean = !hasId && plain && isNamed(name, sent)
    hasId ||= isExternal
    const isIgnored = answerColumns.has(name) || (name === RECORD_ID && areRecordIds(sent))
    const canHaveSeveral = type === 'text' && ![isIgnored, isExternal, isOwn].includes(true)
    const separator = canHaveSeveral ? separatorOf(values.map(String)) : null
    const found = isIgnored ? null : proposedUse(name, { type, values, separator })
    const proposal = isExternal ? propose('external_id', null) : isOwn ? ofOwnColumn(name, type, found) : found
    const samples = [...new Set(sent.map(shown))].slice(0, SAMPLES)
    const distinct = valuesOf(labelsIn(values, separator))
    if (type === 'integer') distinct?.sort((a, b) => Number(a) - Number(b))
    const isRating = type === 'integer' && proposal?.role === 'suggestion' && areRatings(values.map(Number), name)
    const labels = isRating && distinct !== null ? scaleOf(distinct.map(Number)) : distinct
    const column = { name, type, samples, values: labels, complete: complete.has(name), proposal }
    return withSeparator(column, separator)
  })
  return isOwn ? proposed : withOnlyCandidates(withScores(withGroups(proposed)))
}
