import type { AnswerValue } from '@postil/contract/answer-value.ts'

/** What the editor of a question holds: the current answer, and the untouched part of it that is only suggested. */
export type Answer = { readonly value: AnswerValue | null; readonly suggested: AnswerValue | null }
export type Answers = { readonly [question: string]: Answer }

/** Unsaved edits of a record on this device: not yet submitted, discarded or saved. */
export type Draft = {
  readonly user_id: string
  readonly dataset_id: string
  readonly record_id: string
  readonly answers: Answers
  /**
   * Version of the answer that was edited; null if there was none; the name of the change that produced it, if the server
   * hasn't confirmed it.
   */
  readonly base_version: number | string | null
  /** Milliseconds. */
  readonly edited_at: number
}
