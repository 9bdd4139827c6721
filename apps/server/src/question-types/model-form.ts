import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { FieldValues } from '@postil/contract/field-values.ts'
import type { QuestionSettings } from '@postil/contract/question-types/index.ts'
import { type LabelChanges, offeredOptions } from '@postil/contract/question-types/label-changes.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'

/** The part of JSON Schema that model endpoints support in their strict modes, in which answers always match the schema. */
export type AnswerSchema =
  | { readonly type: 'string' | 'integer'; readonly enum?: readonly (string | number)[]; readonly description?: string }
  | { readonly type: 'array'; readonly items: AnswerSchema; readonly description?: string }
  | {
      readonly type: 'object'
      readonly properties: { readonly [name: string]: AnswerSchema }
      readonly required: readonly string[]
      readonly additionalProperties: false
    }

/** A value that a model has given. */
export type ReadAnswer = {
  readonly value: AnswerValue
  /** If `value` is a list: for each of its items, the item's index in the list that the model returned. Otherwise null. */
  readonly from: readonly number[] | null
  /** How many parts of the answer can't be placed in the record's text. */
  readonly unmatched: number
}

/** How models give answers of a question type. */
export type ModelForm = {
  readonly schema: (settings: QuestionSettings) => AnswerSchema
  /** A sentence of the prompt that describes an answer, or a function of the settings that returns this sentence. */
  readonly instruction: string | ((settings: QuestionSettings) => string)
  /**
   * Converts a model's answer to a value. Null if the answer doesn't fit the schema. The rules of the question type are checked
   * afterwards.
   */
  readonly read: (answer: unknown, settings: QuestionSettings, fields: FieldValues) => ReadAnswer | null
  /** The answer that a model would give for a value. Used for examples in prompts. */
  readonly show: (value: AnswerValue, settings: QuestionSettings, fields: FieldValues) => JsonValue
}

type WithLabels = LabelChanges & { readonly options: readonly { readonly value: string }[] }

/** The schema of one label in an answer. Only labels that are offered for new answers are valid. */
export const labelSchema = (settings: QuestionSettings): AnswerSchema => ({
  type: 'string',
  enum: offeredOptions(settings as unknown as WithLabels).map(({ value }) => value),
})

export const asJson = (value: AnswerValue): JsonValue => value as unknown as JsonValue

export const isTexts = (answer: unknown): answer is readonly string[] =>
  Array.isArray(answer) && answer.every((one) => typeof one === 'string')

/** A value that is not a list. */
export const single = (value: string | number): ReadAnswer => ({ value, from: null, unmatched: 0 })
