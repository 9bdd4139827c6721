import type { z } from 'zod'
import type { AnswerValue } from '#answer-value.ts'
import type { Limits } from '#wire/limits.ts'
import type { Reason } from '#wire/message.ts'

/**
 * The question types of Argilla's API. A question type that exists only in Postil uses the one of these types that has the same
 * values.
 */
export type PublishedQuestionType = 'text' | 'rating' | 'label_selection' | 'multi_label_selection' | 'ranking' | 'span'

/** Settings that every kind has. For a kind that Argilla's API doesn't have, `postil_kind` is the name of the kind. */
type SettingsBase = { readonly type: PublishedQuestionType; readonly postil_kind?: string | undefined }

export type CheckOptions<S> = {
  readonly settings: S
  /** Whether the value is part of a submitted answer. Some rules don't apply to drafts and suggestions. */
  readonly submitted: boolean
  /** The record's fields, keyed by name, for answers that refer to them. */
  readonly fields: { readonly [name: string]: unknown }
}

/** The rules of a question type that need no schema library. The web app runs them too. */
export type QuestionRules<S> = {
  /** Why a value is invalid for a question with these settings, or null. The value may have any shape. */
  readonly check: (value: AnswerValue, options: CheckOptions<S>) => Reason | null
  /**
   * Needed if some clients send values in a reduced form. Returns the stored value if its reduced form equals the sent value.
   * Otherwise, returns the sent value. If this function is omitted, the sent value is used unchanged.
   */
  readonly mergeWithCurrent?: (sent: AnswerValue, current: unknown) => AnswerValue
  /** Whether the agreement of the answers is measured on each record. */
  readonly hasAgreement?: boolean
  /**
   * Defined if answers consist of labels that users can rename or merge. Replaces each label in a value. If two labels become
   * equal, one is kept. Values of an unexpected shape are returned unchanged.
   */
  readonly replaceLabels?: (value: AnswerValue, replace: (label: string) => string) => AnswerValue
  /**
   * True if an answer is one option of the question, or a list of its options. Conditions of other questions can compare such
   * answers.
   */
  readonly hasChoices?: boolean
  /** Whether a submitted answer must contain every label that is offered. */
  readonly needsAllLabels?: boolean
}

/** Example values for the conformance tests of all packages. */
export type QuestionFixtures<S> = {
  readonly settings: S
  readonly fields?: { readonly [name: string]: unknown }
  /** Valid with any status. */
  readonly valid: readonly AnswerValue[]
  /** Refused with any status. */
  readonly invalid: readonly unknown[]
  /** Values that are valid in drafts and suggestions but refused in submitted answers. */
  readonly submittedInvalid: readonly AnswerValue[]
}

/** The fields and questions of a dataset to which a question is being added. */
export type DatasetParts = {
  readonly fields: readonly { readonly name: string; readonly settings: { readonly type: string } }[]
  readonly questions: readonly { readonly name: string; readonly settings: object }[]
}

export type QuestionType<K extends string, S extends SettingsBase, I, U extends SettingsBase> = {
  readonly kind: K
  /** Settings at creation. `I` is the type of the input, `S` the type that is stored and returned. */
  readonly createSettings: (limits: Limits) => z.ZodType<S, I>
  readonly settings: z.ZodType<S>
  readonly updateSettings: z.ZodType<U>
  /** The settings after an update. If the update is refused, one sentence that says why. */
  readonly merge: (stored: S, update: U) => S | string
  /** One sentence on why a dataset can't have a question with these settings, or null. Omitted if every dataset can. */
  readonly placementFault?: (settings: S, parts: DatasetParts) => string | null
  readonly rules: QuestionRules<S>
  readonly fixtures: QuestionFixtures<S>
}

export const defineQuestionType = <const K extends string, S extends SettingsBase, I, U extends SettingsBase>(
  type: QuestionType<K, S, I, U>,
): QuestionType<K, S, I, U> => type
