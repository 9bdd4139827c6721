import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { QuestionKind, QuestionSettings } from '@postil/contract/question-types/index.ts'
import type { JsonObject, JsonValue } from '@postil/contract/wire/json.ts'
import type { ModelForm } from './model-form.ts'

/** How a value can be filtered: `terms` are compared as text, `numbers` as numbers, and `nothing` never matches. */
export type Indexed = 'terms' | 'numbers' | 'nothing'

/** The type of a value in a table: a string, an integer, a list of strings, or any other value as JSON. */
export type ValueColumn = 'text' | 'integer' | 'texts' | 'json'

/**
 * How answers are compared to measure agreement: as `categories`, as numbers on a `scale`, as `sets` of labels, by the `order` of
 * options, as `spans` of a text, as `choices` between options that differ by record, or as `texts`.
 */
export type Compared = 'categories' | 'scale' | 'sets' | 'order' | 'spans' | 'choices' | 'texts'

/** How the labels of an item are compared. With `categories` and `scale`, an item has one label. With `sets`, it has several. */
export type ItemsCompared = Extract<Compared, 'categories' | 'scale' | 'sets'>

/** Server-specific properties of a question type, in addition to the contract. */
export type ServerQuestionType<K extends QuestionKind> = {
  readonly kind: K
  readonly indexed: Indexed
  /** The terms under which a filter finds a value. */
  readonly terms: (value: AnswerValue) => readonly string[]
  /** The numbers under which a filter finds a value. */
  readonly numbers: (value: AnswerValue) => readonly number[]
  readonly compared: Compared
  /**
   * How similar two different answers are, from 0 to 1. Defined for types whose rules say that agreement is measured. The result
   * must not depend on settings that can change once there are answers.
   */
  readonly similarity?: (settings: QuestionSettings) => (a: AnswerValue, b: AnswerValue) => number
  /**
   * Returns a function that scores an answer that differs from the final answer, from 0 (wrong) to 1 (correct). Omitted for
   * texts, which could only be compared word by word. `tolerance` is the largest difference at which a number counts as correct.
   */
  readonly rightness?: (options: { readonly tolerance: number }) => (answer: AnswerValue, final: AnswerValue) => number
  /**
   * Defined if a value is a list of spans and each span labels an item in a record, such as a message. Returns how the labels of
   * an item are compared. This also determines whether an item can have several labels. Spans with the same start belong to the
   * same item.
   */
  readonly itemized?: (settings: QuestionSettings) => ItemsCompared
  /**
   * Converts a value for downloads. Defined if downloads contain more about a value than API responses do, for example the role
   * of a labeled message.
   */
  readonly exported?: (settings: QuestionSettings, value: JsonValue, fields: JsonObject) => JsonValue
  /** The keys that `exported` adds to the items of a list, for files with typed columns. */
  readonly exportedKeys?: { readonly [key: string]: 'integer' | 'text' }
  /**
   * Returns the options that a value contains, to count answers per option and to search for options. Defined only if values are
   * not indexed.
   */
  readonly chosen?: (value: JsonValue) => readonly string[]
  /** How models give answers of the type. */
  readonly model: ModelForm
  /** The type of a value in exported tables. */
  readonly column: ValueColumn
  /**
   * Converts a suggestion for Hub tables. Defined if the tables' clients expect a different form for suggestions than for
   * answers.
   */
  readonly suggested?: (value: JsonValue) => JsonValue
  /**
   * Converts a column's content to a value of the type. Content that it can't convert is returned unchanged. Defined only for
   * types whose values may have a different form in columns, such as a list of options for a ranking.
   */
  readonly imported?: (value: unknown) => unknown
  /**
   * Whether a value in a file can only be of this type. When a dataset is created from the file, a column of such values
   * becomes a question of this type.
   */
  readonly recognizes?: (value: unknown) => boolean
  /**
   * Whether records can be sorted by suggested values, and whether they can be sorted by answers (by the mean of a record's
   * answers).
   */
  readonly sortable: { readonly suggestions: boolean; readonly responses: boolean }
}

export const defineServerQuestionType = <const K extends QuestionKind>(type: ServerQuestionType<K>): ServerQuestionType<K> => type

export const noTerms = (): readonly string[] => []
export const noNumbers = (): readonly number[] => []
