import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { MetadataKind } from '@postil/contract/metadata-types/define.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { KindNames } from '@postil/contract/wire/kinds.ts'
import { type Facet, indexKey, valueKey } from '#platform/db/keys/index-keys.ts'
import { serverMetadataTypes } from './metadata.ts'
import { serverQuestionType } from './registry.ts'

/**
 * A value's index entries, as rows of the narrow tables. The rows omit the dataset, record and user columns. No row occurs twice,
 * so the rows can be inserted unchanged.
 */
export type IndexRows = {
  readonly terms: readonly { readonly key: number; readonly value_key: string }[]
  readonly numbers: readonly { readonly key: number; readonly number: number }[]
}

type Question = { readonly no: number; readonly settings: KindNames }
type Property = { readonly no: number; readonly settings: { readonly type: MetadataKind } }
type Suggestion = {
  readonly value: AnswerValue
  readonly type: string | null
  readonly agent: string | null
  readonly score: number | readonly number[] | null
}

/**
 * The distinct values. A list with fewer than two values is returned unchanged: nearly all lists are that short, and a bulk
 * request creates thousands of lists.
 */
const distinct = <T>(values: readonly T[]): readonly T[] => (values.length < 2 ? values : [...new Set(values)])

const termRows = (no: number, facet: Facet, terms: readonly string[]): IndexRows['terms'] =>
  distinct(terms.map(valueKey)).map((value_key) => ({ key: indexKey(no, facet), value_key }))

// −0 and 0 are the same value in SQL.
const numberRows = (no: number, facet: Facet, numbers: readonly number[]): IndexRows['numbers'] =>
  distinct(numbers.map((number) => number + 0)).map((number) => ({ key: indexKey(no, facet), number }))

/** The rows of `response_terms` and `response_numbers` for an answer's value for one question, whatever the answer's status. */
export const answerIndexRows = (question: Question, value: AnswerValue): IndexRows => {
  const type = serverQuestionType(question.settings)
  return {
    terms: termRows(question.no, 'value', type.terms(value)),
    numbers: numberRows(question.no, 'value', type.numbers(value)),
  }
}

/** The rows of `record_terms` and `record_numbers` for the value, agent, type and scores of a suggestion. */
export const suggestionIndexRows = (question: Question, suggestion: Suggestion): IndexRows => {
  const value = answerIndexRows(question, suggestion.value)
  const { agent, type, score } = suggestion
  const scores = score === null ? [] : typeof score === 'number' ? [score] : score
  return {
    terms: value.terms.concat(
      agent === null ? [] : termRows(question.no, 'agent', [agent]),
      type === null ? [] : termRows(question.no, 'type', [type]),
    ),
    numbers: scores.length === 0 ? value.numbers : value.numbers.concat(numberRows(question.no, 'score', scores)),
  }
}

/** The rows of `record_terms` and `record_numbers` for a metadata value. */
export const metadataIndexRows = (property: Property, value: JsonValue): IndexRows => {
  const type = serverMetadataTypes[property.settings.type]
  return {
    terms: termRows(property.no, 'value', type.terms(value)),
    numbers: numberRows(property.no, 'value', type.numbers(value)),
  }
}
