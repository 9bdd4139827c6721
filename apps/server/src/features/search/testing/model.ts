import type { Filter, Order, Scope } from '@postil/contract/search.ts'
import { parseUuid } from '@postil/contract/wire/scalars.ts'
import { recordContent, type SearchableField } from '#field-types/record-tokens.ts'
import { evaluate, indexField } from '#platform/text/evaluate.ts'
import { parseTextQuery } from '#platform/text/query.ts'
import { idOf } from '../conditions/record-ids.ts'
import { parseTime } from '../conditions/times.ts'

/** A record in wire format, with all optional parts included. */
export type WireRecord = {
  readonly id: string
  readonly status: string
  readonly external_id: string | null
  readonly inserted_at: string
  readonly updated_at: string
  readonly fields: { readonly [name: string]: unknown }
  readonly metadata: { readonly [name: string]: unknown } | null
  readonly responses: readonly {
    readonly user_id: string
    readonly status: string
    readonly values: { readonly [q: string]: { readonly value: unknown } }
  }[]
  readonly suggestions: readonly {
    readonly question_id: string
    readonly value: unknown
    readonly agent: string | null
    readonly type: string | null
    readonly score: unknown
  }[]
  readonly vectors: { readonly [name: string]: readonly number[] }
}

export type Model = {
  /** In insertion order. */
  readonly records: readonly WireRecord[]
  readonly fields: readonly SearchableField[]
  readonly questions: readonly { readonly id: string; readonly name: string; readonly kind: string }[]
  readonly properties: readonly { readonly name: string; readonly kind: string }[]
}

type Value = string | number
type Found = { readonly kind: 'text' | 'number' | 'time' | 'nothing'; readonly values: readonly Value[] }

const asList = (value: unknown): readonly unknown[] =>
  value === null || value === undefined ? [] : Array.isArray(value) ? value : [value]
const answerable: { readonly [kind: string]: Found['kind'] } = {
  label_selection: 'text',
  multi_label_selection: 'text',
  rating: 'number',
}

const ofQuestion = (kind: string, value: unknown): Found => {
  const found = answerable[kind] ?? 'nothing'
  return { kind: found, values: found === 'nothing' ? [] : (asList(value) as Value[]) }
}

type Answers = readonly (number | string)[]
/** Similarity of two answers. The ratings range from 1 to 5. */
const similar = (a: number | string, b: number | string): number =>
  typeof a === 'number' && typeof b === 'number' ? 1 - Math.abs(a - b) / 4 : Number(a === b)

const ofAgreement = (record: WireRecord, question: string): Found => {
  const submitted = record.responses.filter(({ status }) => status === 'submitted')
  const answers = submitted.flatMap(({ values }) => (values[question] ? [values[question].value] : [])) as Answers
  const pairs = answers.flatMap((a, i) => answers.slice(i + 1).map((b) => similar(a, b)))
  return { kind: 'number', values: pairs.length === 0 ? [] : [pairs.reduce((sum, one) => sum + one, 0) / pairs.length] }
}

type RecordProperty = Exclude<Extract<Scope, { entity: 'record' }>['property'], 'agreement'>
const ofRecord = (record: WireRecord, property: RecordProperty): Found => {
  if (property === 'assigned_to' || property === 'review' || property === 'final_answer' || property === 'comments')
    throw new Error('records do not contain their assignments and reviews')
  const value = record[property]
  const isTime = property === 'inserted_at' || property === 'updated_at'
  return { kind: isTime ? 'time' : 'text', values: value === null ? [] : [isTime ? parseTime(value, property).from : value] }
}

const ofMetadata = (record: WireRecord, name: string, { properties }: Model): Found => {
  const kind = properties.find((property) => property.name === name)?.kind === 'terms' ? 'text' : 'number'
  const values = asList(record.metadata?.[name])
  return { kind, values: kind === 'text' ? values.map(String) : (values as number[]) }
}

const ofSuggestion = (record: WireRecord, scope: Extract<Scope, { entity: 'suggestion' }>, { questions }: Model): Found => {
  const question = questions.find(({ name }) => name === scope.question)!
  const suggestion = record.suggestions.find(({ question_id }) => question_id === question.id)
  if (scope.property === 'value') return ofQuestion(question.kind, suggestion?.value)
  const values = asList(suggestion?.[scope.property]) as Value[]
  return { kind: scope.property === 'score' ? 'number' : 'text', values }
}

/** Returns one list of values for each of the user's answers, or for every answer if `user` is null. */
const ofAnswers = (record: WireRecord, name: string, user: string | null, { questions }: Model): Found => {
  const { kind } = questions.find((question) => question.name === name)!
  const answers = record.responses.filter((response) => user === null || response.user_id === user)
  return {
    kind: ofQuestion(kind, null).kind,
    values: answers.flatMap(({ values }) => ofQuestion(kind, values[name]?.value).values),
  }
}

const valuesOf = (record: WireRecord, scope: Scope, user: string | null, model: Model): Found => {
  if (scope.entity === 'record')
    return scope.property === 'agreement' ? ofAgreement(record, scope.question!) : ofRecord(record, scope.property)
  if (scope.entity === 'metadata') return ofMetadata(record, scope.metadata_property, model)
  if (scope.entity === 'suggestion') return ofSuggestion(record, scope, model)
  return ofAnswers(record, scope.question!, user, model)
}

const codePoints = (text: string): readonly number[] => Array.from(text, (char) => char.codePointAt(0)!)
export const compare = (a: Value, b: Value): number => {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b)
  const [x, y] = [codePoints(a), codePoints(b)]
  const at = x.findIndex((code, i) => code !== y[i])
  return at < 0 ? x.length - y.length : at >= y.length ? 1 : x[at]! - y[at]!
}

const answerStatus = (record: WireRecord, wanted: readonly string[], user: string | null): boolean => {
  const answers = record.responses.filter((response) => user === null || response.user_id === user)
  return wanted.some((status) =>
    status === 'pending' ? answers.length === 0 : answers.some((answer) => answer.status === status),
  )
}

const equals = (found: Found, value: Value, wanted: string): boolean => {
  if (found.kind === 'number') return value === Number(wanted)
  if (found.kind !== 'time') return value === wanted
  const { from, to } = parseTime(wanted, 'test')
  return Number(value) >= from && Number(value) <= to
}

/** Stored texts never contain NUL. A search text that contains one matches nothing and must not be compared. */
const isUnstorable = (bound: unknown): boolean => typeof bound === 'string' && bound.includes('\0')

const isWithin = (found: Found, value: Value, { ge, le }: Extract<Filter, { type: 'range' }>): boolean => {
  const bound = (given: Value, end: 'from' | 'to'): Value => {
    if (found.kind === 'time') return parseTime(given, 'test')[end]
    return found.kind === 'number' ? Number(given) : String(given)
  }
  if (isUnstorable(ge) || isUnstorable(le)) return false
  return (
    (ge === null || ge === undefined || compare(value, bound(ge, 'from')) >= 0) &&
    (le === null || le === undefined || compare(value, bound(le, 'to')) <= 0)
  )
}

export const holds = (record: WireRecord, filter: Filter, user: string | null, model: Model): boolean => {
  const { scope } = filter
  if (scope.entity === 'response' && !scope.question) {
    return filter.type === 'terms' && answerStatus(record, filter.values.map(String), user)
  }
  const found = valuesOf(record, scope, user, model)
  if (filter.type === 'range') return found.values.some((value) => isWithin(found, value, filter))
  return found.values.some((value) => filter.values.some((wanted) => equals(found, value, String(wanted))))
}

export const hasText = (record: WireRecord, q: string, field: string | null, { fields }: Model): boolean => {
  const place = fields.findIndex(({ name }) => name === field)
  const tokens = recordContent(fields, record.fields).filter((one) => field === null || one.field === place)
  const id = idOf({ q, field: field === null ? null : place })
  if (id !== null && (record.external_id === id || record.id === parseUuid(id))) return true
  return evaluate(parseTextQuery(q), tokens.map(indexField))
}

const sortValue = (record: WireRecord, { scope, order }: Order, user: string | null, model: Model): Value | null => {
  const { values } = valuesOf(record, scope, user, model)
  if (values.length === 0) return null
  if (scope.entity === 'response') return values.reduce((sum: number, value) => sum + Number(value), 0) / values.length
  return [...values].sort((a, b) => (order === 'asc' ? compare(a, b) : compare(b, a)))[0]!
}

/** Sorts records. Ties are in insertion order, and missing values come last. */
export const sorted = (
  records: readonly WireRecord[],
  sort: readonly Order[],
  user: string | null,
  model: Model,
): WireRecord[] => {
  const keyed = records.map((record) => ({ record, keys: sort.map((order) => sortValue(record, order, user, model)) }))
  keyed.sort((a, b) => {
    for (const [i, { order }] of sort.entries()) {
      const [x, y] = [a.keys[i]!, b.keys[i]!]
      if (x === null && y === null) continue
      if (x === null) return 1
      if (y === null) return -1
      const by = order === 'asc' ? compare(x, y) : compare(y, x)
      if (by !== 0) return by
    }
    return 0
  })
  return keyed.map(({ record }) => record)
}
