import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { QuestionKind } from '@postil/contract/question-types/define.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'

/** What of a value can be filtered by: terms are compared as text, numbers as numbers, nothing never matches. */
export type Indexed = 'terms' | 'numbers' | 'nothing'

/** How a value stands in a table: as a text, a whole number, a list of texts, or anything else as JSON. */
export type ValueColumn = 'text' | 'integer' | 'texts' | 'json'

/** What the server knows of a question type beside the contract. */
export type ServerQuestionType<K extends QuestionKind> = {
  readonly kind: K
  readonly indexed: Indexed
  /** What a filter by terms finds a value by. */
  readonly terms: (value: AnswerValue) => readonly string[]
  /** What a filter by numbers finds a value by. */
  readonly numbers: (value: AnswerValue) => readonly number[]
  /** How exported tables carry a value. */
  readonly column: ValueColumn
  /** How tables of the hub carry a suggestion, where clients of these read it in another form than an answer. */
  readonly suggested?: (value: JsonValue) => JsonValue
  /** A value of the type in what a column carries, where that may have another form; anything else stays what it is. */
  readonly imported?: (value: unknown) => unknown
  /** Whether records can be sorted by suggested values, and by answers (their mean). */
  readonly sortable: { readonly suggestions: boolean; readonly responses: boolean }
}

export const defineServerQuestionType = <const K extends QuestionKind>(type: ServerQuestionType<K>): ServerQuestionType<K> => type

export const noTerms = (): readonly string[] => []
export const noNumbers = (): readonly number[] => []
