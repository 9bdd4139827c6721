import type { z } from 'zod'
import type { AnswerValue } from '#answer-value.ts'
import type { Limits } from '#wire/limits.ts'

export const questionKinds = ['text', 'rating', 'label_selection', 'multi_label_selection', 'ranking', 'span'] as const
export type QuestionKind = (typeof questionKinds)[number]

export type CheckOptions<S> = {
  readonly settings: S
  /** A submitted answer may have rules that drafts and suggestions do not have. */
  readonly submitted: boolean
  /** The record's fields by name, for answers that refer to them. */
  readonly fields: { readonly [name: string]: unknown }
}

/** The rules of a question type that need no schema library; the page runs them too. */
export type QuestionRules<S> = {
  /** One sentence on what is wrong with a value for a question with these settings, or null. Every shape may come in. */
  readonly check: (value: AnswerValue, options: CheckOptions<S>) => string | null
  /**
   * What is meant by a value that is sent where another one stands, and cannot say all that the other says: the one that stands, if it
   * says no more than that. Left out: what is sent is what is meant.
   */
  readonly besideStanding?: (sent: AnswerValue, standing: unknown) => AnswerValue
}

/** Example values that every side's conformance test runs through. */
export type QuestionFixtures<S> = {
  readonly settings: S
  readonly fields?: { readonly [name: string]: unknown }
  /** Good also when submitted. */
  readonly valid: readonly AnswerValue[]
  /** Refused whatever the status. */
  readonly invalid: readonly unknown[]
  /** Good as drafts and suggestions, refused when submitted. */
  readonly submittedInvalid: readonly AnswerValue[]
}

/** What a dataset has when a question is added to it. */
export type Surroundings = {
  readonly fields: readonly { readonly name: string; readonly settings: { readonly type: string } }[]
  readonly questions: readonly { readonly name: string; readonly settings: object }[]
}

export type QuestionType<K extends QuestionKind, S extends { readonly type: K }, I, U extends { readonly type: K }> = {
  readonly kind: K
  /** Settings as a client creates them; `I` is what may be sent, `S` what is stored and answered. */
  readonly createSettings: (limits: Limits) => z.ZodType<S, I>
  readonly settings: z.ZodType<S>
  readonly updateSettings: z.ZodType<U>
  /** Stored settings after an update, or one sentence on why it is refused. */
  readonly merge: (stored: S, update: U) => S | string
  /** One sentence on why a dataset cannot take a question with these settings, or null; left out when every dataset can. */
  readonly placementFault?: (settings: S, surroundings: Surroundings) => string | null
  readonly rules: QuestionRules<S>
  readonly fixtures: QuestionFixtures<S>
}

export const defineQuestionType = <
  const K extends QuestionKind,
  S extends { readonly type: K },
  I,
  U extends { readonly type: K },
>(
  type: QuestionType<K, S, I, U>,
): QuestionType<K, S, I, U> => type
