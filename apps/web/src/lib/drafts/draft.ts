import type { AnswerValue } from '@postil/contract/answer-value.ts'

/** The state of a question's editor: the current answer, and the part of it that is an unchanged suggestion. */
export type Answer = { readonly value: AnswerValue | null; readonly suggested: AnswerValue | null }
export type Answers = { readonly [question: string]: Answer }

/** A record's edits on this device that haven't been submitted, discarded or saved as a draft answer. */
export type Draft = {
  readonly user_id: string
  readonly dataset_id: string
  readonly record_id: string
  readonly answers: Answers
  /**
   * The version of the answer that was edited, or null if there was no answer. If the server hasn't confirmed that version, the
   * ID of the change that produced it.
   */
  readonly base_version: number | string | null
  /** Milliseconds. */
  readonly edited_at: number
}
