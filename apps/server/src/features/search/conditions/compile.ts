import { unassigned } from '@postil/contract/assignments.ts'
import type { QuestionSettings } from '@postil/contract/question-types/index.ts'
import { replacedLabels } from '@postil/contract/question-types/label-changes.ts'
import type { Filter, Order, RangeFilter, Scope, SearchBody, TermsFilter } from '@postil/contract/search.ts'
import { areBoundsReversed } from '@postil/contract/search.ts'
import { invalid, unprocessable } from '@postil/contract/wire/errors.ts'
import { jsonFault } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import { renderMessage } from '@postil/contract/wire/render-message.ts'
import { valueError } from '@postil/contract/wire/scalar.ts'
import { parseUuid } from '@postil/contract/wire/scalars.ts'
import type { FieldRow, MetadataPropertyRow, QuestionRow, VectorSettingsRow } from '#features/schema/public.ts'
import { type Facet, indexKey } from '#platform/db/keys/index-keys.ts'
import type { RecordStatus, ResponseStatus } from '#platform/db/tables.ts'
import { MAX_PATTERNS, parseTextQuery, patternCount } from '#platform/text/query.ts'
import { hasAgreement } from '#question-types/agreement.ts'
import { serverMetadataTypes } from '#question-types/metadata.ts'
import { serverQuestionType } from '#question-types/registry.ts'
import type { Atom, AtomOf, Bounds, Comparison, ComparisonResult, SortKey, Values } from './atoms.ts'
import { compareTexts } from './long-terms.ts'
import { parseTime } from './times.ts'

export type SearchSchema = {
  readonly fields: readonly FieldRow[]
  readonly questions: readonly QuestionRow[]
  /** The properties that the viewer can see. */
  readonly properties: readonly MetadataPropertyRow[]
  readonly vectors: readonly VectorSettingsRow[]
}

/**
 * `user`: the user whose answers filters and sort keys refer to; null for all users. `seesReviews`: whether the search can refer
 * to reviews. False for a user who could recognize test items in this way. `seesSuggestions`: whether the search can refer to
 * suggestions. False for a user who could find out the values of hidden suggestions in this way.
 */
export type View = { readonly user: string | null; readonly seesReviews: boolean; readonly seesSuggestions: boolean }

export type Search = {
  readonly atoms: readonly Atom[]
  readonly sort: readonly SortKey[]
  readonly vector: {
    readonly setting: VectorSettingsRow
    readonly query: NonNullable<NonNullable<SearchBody['query']>['vector']>
  } | null
}

type Column = 'id' | 'external_id' | 'inserted_at' | 'updated_at' | 'status'

/** What a scope refers to. `nothing` stands for a valid scope that never matches. */
type Target =
  | { readonly on: 'column'; readonly column: Column }
  | { readonly on: 'values'; readonly values: Values; readonly sortable: boolean }
  | { readonly on: 'answer_status'; readonly user: string | null }
  | { readonly on: 'answer_times'; readonly user: string | null; readonly status: ResponseStatus | null }
  | { readonly on: 'chosen'; readonly of: Omit<AtomOf<'chosen'>, 'kind' | 'options'> }
  | { readonly on: 'comparison'; readonly of: Omit<Comparison, 'kind' | 'results'> }
  | { readonly on: 'assigned'; readonly user: string | null }
  | { readonly on: 'review' }
  | { readonly on: 'final_answer'; readonly question: QuestionRow }
  | { readonly on: 'comments' }
  | { readonly on: 'nothing' }

const findNamed = <T extends { readonly name: string }>(rows: readonly T[], name: string, what: string): T => {
  const row = rows.find((candidate) => candidate.name === name)
  if (row === undefined) throw unprocessable(message('notInDataset', { part: what, name }))
  return row
}

/** The agreement on a question. @throws Problem unprocessable if the scope doesn't name a question that has agreement */
const agreementTarget = ({ question: name }: Extract<Scope, { entity: 'record' }>, { questions }: SearchSchema): Target => {
  if (name === null || name === undefined) throw unprocessable("The property 'agreement' of records needs a 'question'")
  const question = findNamed(questions, name, 'Question')
  if (!hasAgreement(question.settings)) throw unprocessable(message('noAgreement', { question: name }))
  const origin = { in: 'answer' as const, question }
  return {
    on: 'values',
    sortable: true,
    values: { table: 'agreement', key: indexKey(question.no), kind: 'numbers', user: null, origin },
  }
}

const metadataTarget = (name: string, { properties }: SearchSchema): Target => {
  const property = findNamed(properties, name, 'Metadata property')
  const { indexed } = serverMetadataTypes[property.settings.type]
  if (indexed === 'nothing') return { on: 'nothing' }
  const origin = { in: 'metadata' as const, property }
  return {
    on: 'values',
    sortable: true,
    values: { table: 'record', key: indexKey(property.no), kind: indexed, user: null, origin },
  }
}

const suggestionFacets = { agent: 'terms', type: 'terms', score: 'numbers' } as const

const refuseHiddenSuggestions = ({ seesSuggestions }: View): void => {
  if (!seesSuggestions) throw unprocessable(message('suggestionsHidden'))
}

const suggestionTarget = (scope: Extract<Scope, { entity: 'suggestion' }>, schema: SearchSchema, view: View): Target => {
  refuseHiddenSuggestions(view)
  const question = findNamed(schema.questions, scope.question, 'Question')
  const values = (facet: Facet, kind: Values['kind']): Values => ({
    table: 'record',
    key: indexKey(question.no, facet),
    kind,
    user: null,
    origin: { in: 'suggestion', question },
  })
  if (scope.property !== 'value')
    return { on: 'values', values: values(scope.property, suggestionFacets[scope.property]), sortable: true }
  const { indexed, sortable } = serverQuestionType(question.settings)
  if (indexed === 'nothing') return { on: 'nothing' }
  return { on: 'values', values: values('value', indexed), sortable: sortable.suggestions }
}

const isSet = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined

type ResponseScope = Extract<Scope, { entity: 'response' }>

/** The user whose answers a scope refers to; null for all. @throws Problem if the caller may not search that user's answers */
const answererOf = ({ user_id }: ResponseScope, { user }: View): string | null => {
  if (user_id === null || user_id === undefined || user_id === user) return user
  if (user === null) return user_id
  throw unprocessable("A search of one's own records can't refer to other users' answers")
}

const comparisonTarget = (scope: ResponseScope, { questions }: SearchSchema, view: View): Target => {
  const user = answererOf(scope, view)
  const isWithAnswers = scope.compared_with === 'answers'
  if (!isWithAnswers) refuseHiddenSuggestions(view)
  if (isWithAnswers && user !== null) throw unprocessable("One user's answers can't be compared with each other")
  if (scope.user_ids && !isWithAnswers) throw unprocessable("'user_ids' is only for comparisons of answers with each other")
  if (isSet(scope.agent) && isWithAnswers) throw unprocessable("'agent' is only for comparisons with suggestions")
  const compared = scope.question ? [findNamed(questions, scope.question, 'Question')] : questions
  return {
    on: 'comparison',
    of: {
      with: isWithAnswers ? 'answers' : 'suggestion',
      users: user === null ? (scope.user_ids ?? null) : [user],
      agent: scope.agent ?? null,
      questions: compared.map(({ name, no }) => ({ name, no })),
    },
  }
}

const responseTarget = (scope: ResponseScope, schema: SearchSchema, view: View): Target => {
  if (scope.compared_with) return comparisonTarget(scope, schema, view)
  if (scope.user_ids || isSet(scope.agent)) throw unprocessable("'user_ids' and 'agent' need 'compared_with'")
  const user = answererOf(scope, view)
  const status = scope.answer_status ?? undefined
  if (scope.question === null || scope.question === undefined) {
    if (scope.property === 'status' && status === undefined) return { on: 'answer_status', user }
    if (scope.property === 'updated_at') return { on: 'answer_times', user, status: status ?? null }
    throw unprocessable("A response scope needs a 'question' or the property 'status' or 'updated_at'")
  }
  const question = findNamed(schema.questions, scope.question, 'Question')
  const { indexed, sortable, chosen } = serverQuestionType(question.settings)
  if (chosen !== undefined && status !== undefined) return { on: 'chosen', of: { user, status, question } }
  if (indexed === 'nothing') return { on: 'nothing' }
  const values: Values = {
    table: 'response',
    key: indexKey(question.no),
    kind: indexed,
    user,
    ...(status !== undefined && { status }),
    origin: { in: 'answer', question },
  }
  return { on: 'values', values, sortable: sortable.responses }
}

/**
 * @throws Problem unprocessable if the scope doesn't name a question whose answers can be filtered, or if the caller searches as
 * an annotator
 */
const finalAnswerTarget = (
  { question: name }: Extract<Scope, { entity: 'record' }>,
  { questions }: SearchSchema,
  view: View,
): Target => {
  if (view.user !== null) throw unprocessable("A search of one's own records can't refer to final answers")
  if (name === null || name === undefined) throw unprocessable("The property 'final_answer' of records needs a 'question'")
  const question = findNamed(questions, name, 'Question')
  return serverQuestionType(question.settings).indexed === 'nothing' ? { on: 'nothing' } : { on: 'final_answer', question }
}

const targetOf = (scope: Scope, schema: SearchSchema, view: View): Target => {
  if (scope.entity === 'record') {
    const { property } = scope
    if (property === 'assigned_to') return { on: 'assigned', user: view.user }
    if (property === 'review') {
      if (!view.seesReviews) throw unprocessable("A search of one's own records can't refer to reviews")
      return { on: 'review' }
    }
    if (property === 'final_answer') return finalAnswerTarget(scope, schema, view)
    if (property === 'comments') return { on: 'comments' }
    return property === 'agreement' ? agreementTarget(scope, schema) : { on: 'column', column: property }
  }
  if (scope.entity === 'metadata') return metadataTarget(scope.metadata_property, schema)
  return scope.entity === 'suggestion' ? suggestionTarget(scope, schema, view) : responseTarget(scope, schema, view)
}

/**
 * Stored texts never contain NUL or lone surrogates. A search text that contains one matches nothing and must not be compared.
 */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const numeral = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const toNumber = (value: string | number): number => {
  const number = typeof value === 'number' ? value : numeral.test(value.trim()) ? Number(value) : Number.NaN
  if (!Number.isFinite(number)) throw unprocessable(message('notANumber', { value }))
  return number
}

/** @throws Problem for a number that may have lost precision in transit, because it could match the wrong records */
const toText = (value: string | number): string => {
  const fault = typeof value === 'number' ? jsonFault(value) : null
  if (fault !== null) throw unprocessable(`${value} cannot be matched as a number: ${renderMessage(fault)}. Send it as text`)
  return String(value)
}

const statuses: readonly RecordStatus[] = ['completed', 'pending']

const columnTerms = (column: Column, values: readonly (string | number)[]): Atom => {
  if (column === 'inserted_at' || column === 'updated_at') {
    const spans = values.map((value) => parseTime(value, column)).map(({ from, to }) => ({ ge: from, le: to }))
    return { kind: 'times', column, spans }
  }
  const storable = values.map(toText).filter(isStorable)
  // IDs match exactly. All IDs are lowercase and have hyphens.
  if (column === 'id') return { kind: 'ids', ids: storable.filter((id) => id === parseUuid(id)) }
  if (column === 'external_id') return { kind: 'external_ids', ids: storable }
  return { kind: 'status', statuses: statuses.filter((status) => storable.includes(status)) }
}

const comparisonResults: { readonly [W in Comparison['with']]: readonly ComparisonResult[] } = {
  answers: ['different', 'same', 'single'],
  suggestion: ['different', 'same', 'any_same'],
}

const reviewStatuses = ['none', 'started', 'final', 'stale'] as const

/** @throws Problem if the values include another user and the search is limited to the caller's own records */
const assignedAtom = (user: string | null, values: readonly (string | number)[]): Atom => {
  const users = values.map(toText).flatMap((value) => parseUuid(value) ?? [])
  if (user !== null && users.some((id) => id !== user))
    throw unprocessable("A search of one's own records can't refer to other users' assignments")
  return { kind: 'assigned', users: [...new Set(users)].sort(), nobody: values.includes(unassigned), negated: false }
}

/**
 * The labels with all their earlier names, so that a search finds the same answers under each name, even while stored answers are
 * being changed.
 */
const withReplacedLabels = (labels: readonly string[], settings: QuestionSettings): readonly string[] => {
  const replaced = replacedLabels(settings)
  if (replaced.size === 0) return labels
  const current = new Set(labels.map((label) => replaced.get(label) ?? label))
  return [...current, ...[...replaced].flatMap(([from, to]) => (current.has(to) ? [from] : []))]
}

const termsAtom = (target: Target, { values }: TermsFilter): Atom => {
  if (target.on === 'nothing') return { kind: 'nothing' }
  if (target.on === 'column') return columnTerms(target.column, values)
  if (target.on === 'answer_status')
    return { kind: 'answers', user: target.user, statuses: [...new Set(values.map(toText))].sort() }
  if (target.on === 'answer_times') throw unprocessable('Times of responses are filtered by range')
  if (target.on === 'assigned') return assignedAtom(target.user, values)
  if (target.on === 'comments') return values.includes('open') ? { kind: 'commented' } : { kind: 'nothing' }
  if (target.on === 'review') return { kind: 'review', statuses: reviewStatuses.filter((status) => values.includes(status)) }
  if (target.on === 'final_answer')
    return {
      kind: 'final_answer',
      question: target.question,
      answers: withReplacedLabels(values.map(toText), target.question.settings),
    }
  if (target.on === 'chosen')
    return { kind: 'chosen', ...target.of, options: withReplacedLabels(values.map(toText), target.of.question.settings) }
  if (target.on === 'comparison') {
    const results = comparisonResults[target.of.with].filter((result) => values.includes(result))
    return { kind: 'comparison', ...target.of, results }
  }
  if (target.values.kind === 'numbers') return { kind: 'numbers', values: target.values, numbers: values.map(toNumber) }
  const { origin } = target.values
  const terms = values.map(toText).filter(isStorable)
  const hasLabels = origin.in !== 'metadata' && target.values.key === indexKey(origin.question.no)
  return {
    kind: 'terms',
    values: target.values,
    terms: hasLabels ? withReplacedLabels(terms, origin.question.settings) : terms,
  }
}

/** A range filter with its position among the filters. */
type PlacedRange = { readonly filter: RangeFilter; readonly place: number }

/**
 * Parses the bounds according to their target's type, and checks that they aren't reversed. The check compares the parsed values,
 * because a bound that is sent as a string may be a number or a time. @throws Problem a validation error
 */
const boundsOf = <T extends string | number>(
  { filter: { ge, le }, place }: PlacedRange,
  read: (value: string | number, end: 'ge' | 'le') => T,
): Bounds<T> => {
  const bounds = {
    ge: ge === null || ge === undefined ? null : read(ge, 'ge'),
    le: le === null || le === undefined ? null : read(le, 'le'),
  }
  if (bounds.ge === null || bounds.le === null) return bounds
  // Numeric bounds that are compared as text may look reversed. For example, the text "10" sorts before the text "5". This is not
  // an error, but no value is between such bounds.
  if (typeof bounds.ge === 'string' && typeof ge === 'number') return bounds
  const order =
    typeof bounds.ge === 'string' && typeof bounds.le === 'string'
      ? compareTexts(bounds.ge, bounds.le)
      : Number(bounds.ge) - Number(bounds.le)
  const { type, reason } = valueError(areBoundsReversed)
  if (order > 0) throw invalid([{ type, loc: ['body', 'filters', 'and', place, 'range'], msg: renderMessage(reason) }])
  return bounds
}

const columnRange = (column: Column, filter: PlacedRange): Atom => {
  if (column === 'inserted_at' || column === 'updated_at') {
    const span = boundsOf(filter, (value, end) => parseTime(value, column)[end === 'ge' ? 'from' : 'to'])
    return { kind: 'times', column, spans: [span] }
  }
  const bounds = boundsOf(filter, toText)
  if (![bounds.ge, bounds.le].every((bound) => bound === null || isStorable(bound))) return { kind: 'nothing' }
  if (column === 'id') return { kind: 'id_range', bounds }
  if (column === 'external_id') return { kind: 'external_id_range', bounds }
  const within = (status: string) => (bounds.ge === null || status >= bounds.ge) && (bounds.le === null || status <= bounds.le)
  return { kind: 'status', statuses: statuses.filter(within) }
}

const rangeAtom = (target: Target, filter: PlacedRange): Atom => {
  if (target.on === 'nothing') return { kind: 'nothing' }
  if (target.on === 'answer_status') throw unprocessable('Response statuses cannot be filtered by range. Use a terms filter')
  if (target.on === 'answer_times') {
    const { user, status } = target
    const bounds = boundsOf(filter, (value, end) => parseTime(value, 'updated_at')[end === 'ge' ? 'from' : 'to'])
    return { kind: 'answer_times', user, status, bounds }
  }
  if (target.on === 'chosen') throw unprocessable('Labels and options cannot be filtered by range. Use a terms filter')
  if (target.on === 'comparison') throw unprocessable('Comparisons of answers cannot be filtered by range. Use a terms filter')
  if (target.on === 'assigned') throw unprocessable('Assignments cannot be filtered by range. Use a terms filter')
  if (target.on === 'review') throw unprocessable('Reviews cannot be filtered by range. Use a terms filter')
  if (target.on === 'final_answer') throw unprocessable('Final answers cannot be filtered by range. Use a terms filter')
  if (target.on === 'comments') throw unprocessable('Comments cannot be filtered by range. Use a terms filter')
  if (target.on === 'column') return columnRange(target.column, filter)
  if (target.values.kind === 'numbers') return { kind: 'number_range', values: target.values, bounds: boundsOf(filter, toNumber) }
  const bounds = boundsOf(filter, toText)
  const storable = [bounds.ge, bounds.le].every((bound) => bound === null || isStorable(bound))
  return storable ? { kind: 'term_range', values: target.values, bounds } : { kind: 'nothing' }
}

const filterAtom = (filter: Filter, place: number, schema: SearchSchema, view: View): Atom => {
  const target = targetOf(filter.scope, schema, view)
  return filter.type === 'terms' ? termsAtom(target, filter) : rangeAtom(target, { filter, place })
}

const sortKey = ({ scope, order }: Order, schema: SearchSchema, view: View): SortKey => {
  if (scope.entity === 'response' && scope.answer_status)
    throw unprocessable("Records cannot be sorted by responses with an 'answer_status'")
  const target = targetOf(scope, schema, view)
  const descending = order === 'desc'
  if (target.on === 'column') return { by: 'column', column: target.column, descending }
  if (target.on === 'values' && target.sortable) return { by: 'values', values: target.values, descending }
  if (target.on === 'assigned') throw unprocessable('Records cannot be sorted by assignments')
  if (target.on === 'review') throw unprocessable('Records cannot be sorted by reviews')
  if (target.on === 'final_answer') throw unprocessable('Records cannot be sorted by final answers')
  if (target.on === 'comments') throw unprocessable('Records cannot be sorted by comments')
  const what = 'question' in scope && scope.question ? `question \`${scope.question}\`` : 'the response status'
  throw unprocessable(`Records cannot be sorted by the ${scope.entity === 'suggestion' ? 'suggestions' : 'responses'} to ${what}`)
}

/** @throws Problem unprocessable for a query that takes too long */
const textAtom = (text: NonNullable<NonNullable<SearchBody['query']>['text']>, { fields }: SearchSchema): Atom => {
  const found = patternCount(parseTextQuery(text.q))
  if (found > MAX_PATTERNS) throw unprocessable(message('tooManyPatterns', { found, limit: MAX_PATTERNS }))
  if (text.field === null || text.field === undefined) return { kind: 'text', q: text.q, field: null }
  return { kind: 'text', q: text.q, field: fields.indexOf(findNamed(fields, text.field, 'Field')) }
}

/**
 * Translates a request body into a search of this dataset.
 * @throws Problem if the body refers to a part that the dataset doesn't have or can't compare. The problem names this part
 */
export const compile = (body: SearchBody, schema: SearchSchema, view: View): Search => {
  const { text, vector } = body.query ?? {}
  return {
    atoms: [
      ...(text ? [textAtom(text, schema)] : []),
      ...(body.filters?.and ?? []).map((filter, place) => filterAtom(filter, place, schema, view)),
    ],
    sort: (body.sort ?? []).map((order) => sortKey(order, schema, view)),
    vector: vector ? { setting: findNamed(schema.vectors, vector.name, 'Vector'), query: vector } : null,
  }
}
