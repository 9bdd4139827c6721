import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { Shown } from '@postil/contract/comparison-sides.ts'
import type { SuggestionOutcomes } from '@postil/contract/suggestion-use.ts'
import type { AnswerStatus, Conflict, Rejection, ServerAnswer } from './types.ts'

/** A change to the user's answer. Its mutation ID makes duplicates harmless. */
type ChangeRequest = {
  readonly record_id: string
  readonly user_id: string
  readonly mutation_id: string
  readonly base_version: number | null
  /** The server adds it to the answer's active time, once per mutation. */
  readonly active_ms?: number
}
type AnswerRequest = ChangeRequest & {
  readonly status: AnswerStatus
  readonly values: AnswerValues
  readonly suggestion_outcomes?: SuggestionOutcomes | null
  readonly shown?: Shown
}

/** The outcome of a request. */
export type MutationResult =
  | { readonly kind: 'done'; readonly standing: ServerAnswer | null }
  | Conflict
  | Rejection
  /** There is no session, or it belongs to another user. */
  | { readonly kind: 'signed_out' }
  /**
   * The request can be retried. `affectsAll`: requests with other answers would fail now too. `retryAfterMs`: how long the server
   * asks to wait.
   */
  | { readonly kind: 'failed'; readonly affectsAll: boolean; readonly retryAfterMs: number | null }

/** Sends answers to the server. Never throws. */
export type Transport = {
  readonly put: (request: AnswerRequest) => Promise<MutationResult>
  readonly remove: (request: ChangeRequest) => Promise<MutationResult>
  /** Returns the ID of the session's user, null if there is no session, or undefined if the server can't be reached. */
  readonly currentUser: () => Promise<string | null | undefined>
}
