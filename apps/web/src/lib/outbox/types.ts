import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { Response, ResponseStatus } from '@postil/contract/responses.ts'

/** An answer as the server has it. */
export type StandingAnswer = Response
export type AnswerStatus = ResponseStatus

/** What a person did to their answer: gave it, or took it back so that the record is pending again. */
export type Change =
  | { readonly kind: 'save'; readonly status: AnswerStatus; readonly values: AnswerValues }
  | { readonly kind: 'remove' }

export type Entry = {
  /** Names the change to the server, so that sending it twice does it once. */
  readonly mutation_id: string
  readonly change: Change
  /** Milliseconds. */
  readonly made_at: number
  /** True from before the first request on: the server may have it already. */
  readonly attempted: boolean
}

/** The version of the answer on the server that the next entry is built upon; null when there is none. */
export type Base = number | null

export type Trouble =
  /** The server will not take the last entry; `reason` is its sentence. */
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string | null }
  /** The answer was changed elsewhere meanwhile; `standing` is what the server has, null when it was removed. */
  | { readonly kind: 'conflict'; readonly standing: StandingAnswer | null }

/** What one person did to one record and the server has not confirmed, in order. Never without entries. */
export type Line = {
  readonly user_id: string
  readonly dataset_id: string
  readonly record_id: string
  readonly base: Base
  readonly entries: readonly Entry[]
  readonly trouble: Trouble | null
}

/** Where one answer is: `kept` waits on this device until the server can be reached. */
export type SaveState = 'saved' | 'saving' | 'kept' | 'refused' | 'conflict'
