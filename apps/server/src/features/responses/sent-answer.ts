import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { Shown } from '@postil/contract/comparison-sides.ts'
import type { Returned } from '@postil/contract/responses.ts'
import type { SuggestionOutcomes } from '@postil/contract/suggestion-use.ts'
import type { ResponseStatus } from '#platform/db/tables.ts'
import type { OriginalRow, RowTimes } from '#platform/original-row.ts'

/** An answer as sent. Drafts and discarded answers may omit `values`. */
export type SentAnswer = {
  readonly status: ResponseStatus
  readonly values?: AnswerValues | null | undefined
  /** See `outcomesAfter`. */
  readonly suggestion_outcomes?: SuggestionOutcomes | null | undefined
  /** See `shownAfter`. */
  readonly shown?: Shown | null | undefined
  /**
   * Set if a reviewer returns the answer. If omitted, an answer that stays a draft keeps the reviewer's comment from the last
   * time it was returned.
   */
  readonly returned?: Returned | null | undefined
  /** The author's active time since the last change, in milliseconds. It is added to the stored active time. */
  readonly active_ms?: number | null | undefined
  /** Set if the answer is copied from another server. */
  readonly original?: OriginalRow | undefined
  /** The times at which a new answer was given and last changed outside this server. */
  readonly times?: RowTimes | undefined
}
