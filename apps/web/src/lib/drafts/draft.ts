import type { AnswerValue } from '@postil/contract/answer-value.ts'

/** The state of a question's editor: the current answer, and the untouched part of it that is only suggested. */
export type Answer = { readonly value: AnswerValue | null; readonly suggested: AnswerValue | null }
export type Answers = { readonly [question: string]: Answer }

/** Unsaved edits of a record on this device: not yet submitted, discarded or saved. */
export type Draft = {
  readonly user_id: string
  readonly dataset_id: string
  readonly record_id: string
  readonly answers: Answers
  /**
   * The version of the answer that was edited, or null if there was no answer. If the server hasn't confirmed that version, the
   * name of the change that produced it.
   */
  readonly base_version: number | string | null
  /** Milliseconds. */
  readonly edited_at: number
}
