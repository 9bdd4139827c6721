import type { AnswerValue, AnswerValues } from './answer-value.ts'
import { type Condition, type ConditionMetadata, hiddenQuestions, refusedQuestions } from './conditions.ts'
import type { FieldSettings } from './field-types/index.ts'
import { fieldTypeOf } from './field-types/index.ts'
import type { FieldValues } from './field-values.ts'
import type { MetadataSettings } from './metadata-types/index.ts'
import { metadataType } from './metadata-types/index.ts'
import type { QuestionSettings } from './question-types/index.ts'
import { checkAnswerValue } from './question-types/index.ts'
import type { ResponseStatus } from './responses.ts'
import type { SuggestionOutcomes } from './suggestion-use.ts'
import type { SuggestionScore } from './suggestions.ts'
import { type JsonObject, type JsonValue, jsonFault } from './wire/json.ts'
import { maxVectorDimensions } from './wire/limits.ts'
import { message, type Reason } from './wire/message.ts'

/**
 * Rules that need a dataset's schema. Each function returns the reason for the first broken rule, or null. Argilla's API defines
 * the order in which rules are checked.
 */
type Named = { readonly name: string }
export type FieldRule = Named & { readonly required: boolean; readonly settings: FieldSettings }
export type QuestionRule = Named & {
  readonly required: boolean
  readonly settings: QuestionSettings
  readonly shown_when?: Condition | null | undefined
}
/** The parts of a record on which the rules for answers depend. The fields may be empty if no question refers to a field. */
export type AnsweredRecord = { readonly fields: FieldValues; readonly metadata: ConditionMetadata }
export type MetadataRule = Named & { readonly settings: MetadataSettings }

const ownValue = <T>(object: { readonly [key: string]: T }, key: string): T | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined

const indexes = new WeakMap<readonly Named[], ReadonlyMap<string, Named>>()
/** Finds an item by name. The index is cached per list because a bulk request searches the same list thousands of times. */
const byName = <T extends Named>(list: readonly T[], name: string): T | undefined => {
  const index = indexes.get(list) ?? new Map(list.map((item) => [item.name, item]))
  if (!indexes.has(list)) indexes.set(list, index)
  // The map was built from this list.
  return index.get(name) as T | undefined
}

const firstFault = <T>(items: Iterable<T>, check: (item: T) => Reason | null): Reason | null => {
  for (const item of items) {
    const fault = check(item)
    if (fault !== null) return fault
  }
  return null
}

const nothing: ReadonlySet<string> = new Set()
const isUnset = (value: unknown) => value === undefined || value === null

/** Checks all field values of a record. */
export const checkRecordFields = (values: FieldValues, fields: readonly FieldRule[]): Reason | null => {
  if (Object.keys(values).length === 0) return message('fieldsEmpty')
  const absent = fields.find((field) => field.required && isUnset(ownValue(values, field.name)))
  if (absent) return message('fieldMissing', { field: absent.name })
  const extra = Object.keys(values).filter((name) => !byName(fields, name))
  if (extra.length > 0) return message('fieldsExtra', { fields: extra.map((name) => `\`${name}\``).join(', ') })
  return firstFault(Object.entries(values), ([name, value]) => {
    const field = byName(fields, name)
    const fault = field && value !== null ? fieldTypeOf(field.settings).check(value) : null
    return fault && message('fieldFault', { field: name }, fault)
  })
}

const checkProperty = (property: MetadataRule, value: JsonValue): Reason | null => {
  if (value === null) return null
  const fault = metadataType(property.settings.type).check(value, property.settings)
  return fault && message('propertyFault', { property: property.name }, fault)
}

/** Checks a record's metadata. Null is always valid. */
export const checkMetadata = (
  metadata: JsonObject | null | undefined,
  properties: readonly MetadataRule[],
  allowExtra: boolean,
): Reason | null =>
  firstFault(Object.entries(metadata ?? {}), ([name, value]) => {
    const property = byName(properties, name)
    if (property) return checkProperty(property, value)
    if (!allowExtra) return message('propertyUnknown', { property: name })
    const fault = jsonFault(value)
    return fault && message('metadataFault', { property: name }, fault)
  })

/** Checks one vector against its settings. A zero vector is refused because it has no direction and therefore no similarity. */
export const checkVector = (name: string, vector: readonly number[], dimensions: number): string | null => {
  if (vector.length !== dimensions) return `Vector \`${name}\` must have ${dimensions} elements, got ${vector.length} elements`
  if (vector.length > maxVectorDimensions) return `Vector \`${name}\` must have at most ${maxVectorDimensions} elements`
  return vector.every((value) => value === 0) ? `Vector \`${name}\` must not consist of zeros only` : null
}

const submittedFault = (
  values: AnswerValues | null | undefined,
  questions: readonly QuestionRule[],
  hidden: ReadonlySet<string>,
): Reason | null => {
  const isEmpty = !values || Object.keys(values).length === 0
  if (isEmpty && (hidden.size === 0 || hidden.size < questions.length)) return message('answersMissing')
  const isAbsent = ({ name, required }: QuestionRule) => required && !hidden.has(name) && !Object.hasOwn(values ?? {}, name)
  const absent = questions.find(isAbsent)
  return absent ? message('answerMissing', { question: absent.name }) : null
}

/** Checks an answer against the questions and the record. */
export const checkResponse = (
  values: AnswerValues | null | undefined,
  status: ResponseStatus,
  questions: readonly QuestionRule[],
  { fields, metadata }: AnsweredRecord,
  outcomes?: SuggestionOutcomes | null,
): Reason | null => {
  const submitted = status === 'submitted'
  // Drafts keep the values of hidden questions, because the questions may be shown again.
  const hidden = submitted ? hiddenQuestions(questions, values, metadata) : nothing
  const fault = submitted ? submittedFault(values, questions, hidden) : null
  if (fault !== null) return fault
  const refused = hidden.size === 0 ? nothing : refusedQuestions(questions, values, metadata)
  const entries = Object.entries(values ?? {})
  const names = [...entries.map(([name]) => name), ...Object.keys(outcomes ?? {})]
  const unknown = names.find((name) => !byName(questions, name))
  if (unknown !== undefined) return message('answerUnknown', { question: unknown })
  return firstFault(entries, ([name, { value }]) => {
    if (refused.has(name)) return message('answerHidden', { question: name })
    const question = byName(questions, name)
    const problem = question ? checkAnswerValue(value, { settings: question.settings, submitted, fields }) : null
    return problem && message('answerFault', { question: name }, problem)
  })
}

const scoreFault = (value: AnswerValue, score: SuggestionScore | null | undefined): Reason | null => {
  if (isUnset(score)) return null
  if (!Array.isArray(score)) return Array.isArray(value) ? 'a list of values needs a list of scores' : null
  if (!Array.isArray(value)) return message('scoreSingle')
  return score.length === value.length ? null : message('scoreCount', { values: value.length, scores: score.length })
}

export const checkSuggestion = (
  { value, score }: { readonly value: AnswerValue; readonly score?: SuggestionScore | null | undefined },
  question: QuestionRule,
  fields: FieldValues,
): Reason | null => {
  const fault = checkAnswerValue(value, { settings: question.settings, submitted: false, fields }) ?? scoreFault(value, score)
  return fault && message('suggestionFault', { question: question.name }, fault)
}
