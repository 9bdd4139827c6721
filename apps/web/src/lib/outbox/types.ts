import type { CodedMessage } from '@postil/client/coded-message.ts'
import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { Response, ResponseStatus } from '@postil/contract/responses.ts'

/** An answer as stored on the server. */
export type ServerAnswer = Response
export type AnswerStatus = ResponseStatus

/** A change of an answer: the user saves it, or removes it so that the record is pending again. */
export type Change =
  | { readonly kind: 'save'; readonly status: AnswerStatus; readonly values: AnswerValues }
  | { readonly kind: 'remove' }

export type Mutation = {
  /** Identifies the change, so that the server applies duplicates once. */
  readonly mutation_id: string
  readonly change: Change
  /** Milliseconds. */
  readonly made_at: number
  /** True from just before the first request: the server may already have it. */
  readonly attempted: boolean
}

/** Version of the server's answer that the next entry is based on; null if there is none. */
export type BaseVersion = number | null

/** A rejection of an answer by the server. `reason` is its English message; `coded` is the same message as data. */
export type Rejection = {
  readonly kind: 'rejected'
  readonly status: number
  readonly reason: string | null
  readonly coded?: CodedMessage
}

/** The answer was changed elsewhere. `standing` is the server's answer, null if it was removed. */
export type Conflict = { readonly kind: 'conflict'; readonly standing: ServerAnswer | null }

/** Why the last entry of a line isn't sent again before its author has decided. */
export type AnswerIssue = Rejection | Conflict

/** One user's unconfirmed changes to one record, in order. Always has at least one entry. */
export type OutboxLine = {
  readonly user_id: string
  readonly dataset_id: string
  readonly record_id: string
  readonly base: BaseVersion
  readonly entries: readonly Mutation[]
  readonly issue: AnswerIssue | null
}

/** The save state of an answer. `kept` means that the answer waits on this device until the server can be reached. */
export type SaveState = 'saved' | 'saving' | 'kept' | 'rejected' | 'conflict'
