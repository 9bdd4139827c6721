import type { AnswerValue } from '@postil/contract/answer-value.ts'

/** What a question's editor holds: the answer so far, and the part of it that is only suggested and was not touched yet. */
export type Answer = { readonly value: AnswerValue | null; readonly suggested: AnswerValue | null }
export type Answers = { readonly [question: string]: Answer }

/** Edits of one record that were not submitted, discarded or saved, as they were made on this device. */
export type Draft = {
  readonly user_id: string
  readonly dataset_id: string
  readonly record_id: string
  readonly answers: Answers
  /** Version of the answer that was edited; null when there was none; the name of the change that gave it, where the server has not confirmed it. */
  readonly base_version: number | string | null
  /** Milliseconds. */
  readonly edited_at: number
}
