import type { CodedMessage } from '@postil/client/coded-message.ts'
import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { Shown } from '@postil/contract/comparison-sides.ts'
import type { Response, ResponseStatus } from '@postil/contract/responses.ts'
import type { SuggestionOutcomes } from '@postil/contract/suggestion-use.ts'

/** An answer as stored on the server. */
export type ServerAnswer = Response
export type AnswerStatus = ResponseStatus

/** A change to an answer: the user saves it, or removes it so that the record is pending again. */
export type Change =
  | {
      readonly kind: 'save'
      readonly status: AnswerStatus
      readonly values: AnswerValues
      /** Omitted if unknown, and in changes that an earlier version of the web app stored. */
      readonly suggestion_outcomes?: SuggestionOutcomes | null
      /** The order in which the user saw compared fields. */
      readonly shown?: Shown
    }
  | { readonly kind: 'remove' }

export type Mutation = {
  /** Identifies the change, so that the server applies it only once. */
  readonly mutation_id: string
  readonly change: Change
  /** Milliseconds. */
  readonly made_at: number
  /** The active time since the previous change, in milliseconds. Omitted if it wasn't measured. */
  readonly active_ms?: number
  /**
   * Whether a request may have been sent. Set just before the first request, because from then on the server may have the
   * change.
   */
  readonly attempted: boolean
}

/** Version of the server's answer that the next entry is based on, or null if there is no answer. */
export type BaseVersion = number | null

/**
 * The server's rejection of an answer. `reason` is the server's English message. `coded` contains the code and parameters of this
 * message, so that it can be translated.
 */
export type Rejection = {
  readonly kind: 'rejected'
  readonly status: number
  readonly reason: string | null
  readonly coded?: CodedMessage
}

/** The answer was changed elsewhere. `standing` is the server's answer, or null if it was removed. */
export type Conflict = { readonly kind: 'conflict'; readonly standing: ServerAnswer | null }

/** A problem with the last entry of an `OutboxLine`. The entry isn't sent until the user decides what to do with it. */
export type AnswerIssue = Rejection | Conflict

/** One user's unconfirmed changes to one record, oldest first. Always has at least one entry. */
export type OutboxLine = {
  readonly user_id: string
  readonly dataset_id: string
  readonly record_id: string
  readonly base: BaseVersion
  readonly entries: readonly Mutation[]
  readonly issue: AnswerIssue | null
}

/** The save state of an answer. `kept` means that the answer is stored on this device until the server can be reached. */
export type SaveState = 'saved' | 'saving' | 'kept' | 'rejected' | 'conflict'
