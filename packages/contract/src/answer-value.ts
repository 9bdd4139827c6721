import { isAtMost } from './wire/code-points.ts'
import { isJsonObject, textFault } from './wire/json.ts'
import { maxSpans } from './wire/limits.ts'
import { Fault, missing, notDictionary, notString, scalar, valueError } from './wire/scalar.ts'
import { toInt } from './wire/scalars.ts'

export type RankingItem = { readonly value: string; readonly rank: number | null }
/** A half-open range of code points in a field's text. */
export type Span = { readonly label: string; readonly start: number; readonly end: number }
/** A value in one of the shapes that question types use. The question's type checks whether the value fits the question. */
export type AnswerValue = string | number | readonly string[] | readonly RankingItem[] | readonly Span[]

const shapes = 'Input should be a string, an integer or a list of strings, ranking items or spans'

const toText = (value: unknown, key: string): string | Fault => {
  if (value === undefined) return missing([key])
  if (typeof value !== 'string') return notString([key])
  const fault = textFault(value)
  return fault === null ? value : valueError(fault, [key])
}

const toOffset = (value: unknown, key: string, least: number): number | Fault => {
  if (value === undefined) return missing([key])
  const offset = toInt(value)
  if (offset instanceof Fault) return new Fault(offset.type, offset.reason, [key])
  return offset >= least ? offset : new Fault('greater_than_equal', `Input should be greater than or equal to ${least}`, [key])
}

const toSpan = (item: object): Span | Fault => {
  const label = toText(Reflect.get(item, 'label'), 'label')
  if (label instanceof Fault) return label
  const start = toOffset(Reflect.get(item, 'start'), 'start', 0)
  if (start instanceof Fault) return start
  const end = toOffset(Reflect.get(item, 'end'), 'end', 1)
  if (end instanceof Fault) return end
  if (end <= start) return valueError("span 'end' must have a value greater than span 'start'")
  return { label, start, end }
}

const toRankingItem = (item: object): RankingItem | Fault => {
  const value = toText(Reflect.get(item, 'value'), 'value')
  if (value instanceof Fault) return value
  const sent = Reflect.get(item, 'rank')
  if (sent === undefined || sent === null) return { value, rank: null }
  const rank = toInt(sent)
  return rank instanceof Fault ? new Fault(rank.type, rank.reason, ['rank']) : { value, rank }
}

const toLabel = (item: unknown): string | Fault => {
  if (typeof item !== 'string') return notString()
  const fault = textFault(item)
  return fault === null ? item : valueError(fault)
}

const toList = <T>(list: readonly unknown[], convert: (item: unknown) => T | Fault): T[] | Fault => {
  const result: T[] = []
  for (let index = 0; index < list.length; index += 1) {
    const converted = convert(list[index])
    if (converted instanceof Fault) return new Fault(converted.type, converted.reason, [index, ...converted.path])
    result.push(converted)
  }
  return result
}

const asObject =
  <T>(convert: (item: object) => T | Fault) =>
  (item: unknown): T | Fault =>
    isJsonObject(item) ? convert(item) : valueError(shapes)

const fromList = (list: readonly unknown[]): AnswerValue | Fault => {
  const [first] = list
  if (first === undefined) return []
  if (!isJsonObject(first)) return toList(list, toLabel)
  if (Object.hasOwn(first, 'value')) return toList(list, asObject(toRankingItem))
  if (list.length > maxSpans) return new Fault('too_long', `List should have at most ${maxSpans} items`)
  return toList(list, asObject(toSpan))
}

/** Parses a value of any shape. Drops unknown keys of items and sets a missing rank to null. */
export const toAnswerValue = (value: unknown): AnswerValue | Fault => {
  if (typeof value === 'string') return toLabel(value)
  if (Array.isArray(value)) return fromList(value)
  if (typeof value !== 'number') return valueError(shapes)
  if (Number.isSafeInteger(value)) return value
  return toInt(value)
}

export const AnswerValue = scalar<AnswerValue>({ description: shapes }, toAnswerValue)

/** Answers by question name. */
export type AnswerValues = { readonly [question: string]: { readonly value: AnswerValue } }

const maxNameLength = 200
type ConvertValue = (value: unknown) => AnswerValue | Fault
const toAnswer = (entry: unknown, name: string, convert: ConvertValue): { value: AnswerValue } | Fault => {
  if (name.length === 0) return new Fault('string_too_short', 'String should have at least 1 character', [name, '[key]'])
  if (!isAtMost(name, maxNameLength))
    return new Fault('string_too_long', 'String should have at most 200 characters', [name, '[key]'])
  const nameFault = textFault(name)
  if (nameFault !== null) return valueError(nameFault, [name, '[key]'])
  if (!isJsonObject(entry)) {
    return new Fault('model_attributes_type', 'Input should be a valid dictionary or object to extract fields from', [name])
  }
  if (!Object.hasOwn(entry, 'value')) return missing([name, 'value'])
  const value = convert(Reflect.get(entry, 'value'))
  return value instanceof Fault ? new Fault(value.type, value.reason, [name, 'value', ...value.path]) : { value }
}

const valuesWith = (convert: ConvertValue) =>
  scalar<AnswerValues>(
    { type: 'object', additionalProperties: { type: 'object', properties: { value: {} }, required: ['value'] } },
    (value) => {
      if (!isJsonObject(value)) return notDictionary()
      const entries: [string, { value: AnswerValue }][] = []
      for (const [name, entry] of Object.entries(value)) {
        const answer = toAnswer(entry, name, convert)
        if (answer instanceof Fault) return answer
        entries.push([name, answer])
      }
      return Object.fromEntries(entries)
    },
  )

export const AnswerValues = valuesWith(toAnswerValue)

/** Whether a list can't be a list of labels, ranking items or spans. */
const hasWrongItems = (list: readonly unknown[]): boolean => {
  const texts = list.filter((item) => typeof item === 'string').length
  const objects = list.filter(isJsonObject).length
  return texts + objects < list.length || (texts > 0 && objects > 0)
}

/**
 * Like `AnswerValues`, for one item of a bulk request. Accepts lists with invalid items, such as `[1]`, because rejecting them
 * here would fail the whole request. The question rejects them later, so that only this item fails.
 */
export const BulkAnswerValues = valuesWith((value) =>
  Array.isArray(value) && hasWrongItems(value) ? (value as AnswerValue) : toAnswerValue(value),
)
