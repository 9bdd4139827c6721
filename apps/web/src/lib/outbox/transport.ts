import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { AnswerStatus, StandingAnswer } from './types.ts'

/** A change of one's own answer, named so that sending it twice does it once. */
export type ChangeRequest = {
  readonly record_id: string
  readonly user_id: string
  readonly mutation_id: string
  readonly base_version: number | null
}
export type AnswerRequest = ChangeRequest & { readonly status: AnswerStatus; readonly values: AnswerValues }

/** What came of a request. */
export type Outcome =
  | { readonly kind: 'done'; readonly standing: StandingAnswer | null }
  | { readonly kind: 'contested'; readonly standing: StandingAnswer | null }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string | null }
  /** No session, or that of someone else. */
  | { readonly kind: 'signed_out' }
  /** Worth another try; `everything` when no other answer would get through either. `after` in milliseconds, when the server says so. */
  | { readonly kind: 'failed'; readonly everything: boolean; readonly after: number | null }

/** How answers reach the server. Never throws. */
export type Transport = {
  readonly put: (request: AnswerRequest) => Promise<Outcome>
  readonly remove: (request: ChangeRequest) => Promise<Outcome>
  /** The id of the user whose session the browser has, null without one, undefined when the server can not be asked. */
  readonly currentUser: () => Promise<string | null | undefined>
}
