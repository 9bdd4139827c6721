import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { SuggestionUse } from '@postil/contract/suggestion-use.ts'

/**
 * What a stored answer says about a question's suggestion. `none`: there was no suggestion. `unknown`: the answer says nothing
 * about a suggestion.
 */
export type StoredUse = SuggestionUse | 'none' | 'unknown'

/** The state of a question's editor: the current answer, and the part of it that is an unchanged suggestion. */
export type Answer = {
  readonly value: AnswerValue | null
  readonly suggested: AnswerValue | null
  /** Set only while the value comes from a stored answer. Editors leave it out when they change the value. */
  readonly stored?: StoredUse
}
export type Answers = { readonly [question: string]: Answer }

/** A record's edits on this device that haven't been submitted, discarded or saved as a draft answer. */
export type Draft = {
  readonly user_id: string
  readonly dataset_id: string
  readonly record_id: string
  readonly answers: Answers
  /**
   * The version of the answer on which the edits are based. If the server hasn't confirmed that version yet, this is the ID of
   * the change that produced it. If there was no answer, this is null.
   */
  readonly base_version: number | string | null
  /** Milliseconds. */
  readonly edited_at: number
}
