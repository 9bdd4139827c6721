import { fittingShown, type Shown } from '@postil/contract/comparison-sides.ts'
import type { Returned } from '@postil/contract/responses.ts'
import type { SuggestionOutcomes } from '@postil/contract/suggestion-use.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import type { Answer } from './made-changes.ts'
import type { ScopeQuestion } from './scope.ts'
import type { SentAnswer } from './sent-answer.ts'

/* Parts of a stored answer that clients can omit when they change the answer. */

/**
 * The outcomes of an answer's suggestions. Clients that don't know outcomes omit them. An answer with unchanged values then keeps
 * its outcomes. If the values change, the outcomes become unknown.
 */
export const outcomesAfter = (before: Answer, { values, suggestion_outcomes }: SentAnswer): SuggestionOutcomes | null => {
  if (suggestion_outcomes !== undefined) return suggestion_outcomes
  return before !== null && jsonEquals(before.values, values ?? {}) ? before.suggestion_outcomes : null
}

/**
 * The order in which the author saw compared fields. Entries that don't fit the questions are left out, because they must not
 * prevent an answer from being stored. If a client omits the order, the same rule applies as for outcomes.
 */
export const shownAfter = (before: Answer, { values, shown }: SentAnswer, questions: readonly ScopeQuestion[]): Shown | null => {
  if (shown !== undefined) return fittingShown(shown, questions)
  return before !== null && jsonEquals(before.values, values ?? {}) ? (before.shown ?? null) : null
}

/** Only drafts can be returned answers. Submitting or discarding the draft ends the return. */
export const returnedAfter = (before: Answer, { status, returned }: SentAnswer): Returned | null => {
  if (status !== 'draft') return null
  return returned === undefined ? (before?.returned ?? null) : returned
}

/** Whether an answer equals the stored one. Clients read records and send them back, which must not change any answers. */
export const isUnchanged = (before: Answer, sent: SentAnswer): boolean =>
  before !== null &&
  sent.original === undefined &&
  !sent.active_ms &&
  before.status === sent.status &&
  jsonEquals(before.values, sent.values ?? {}) &&
  jsonEquals(before.suggestion_outcomes, outcomesAfter(before, sent)) &&
  (sent.shown == null || jsonEquals(before.shown, sent.shown)) &&
  jsonEquals(before.returned, returnedAfter(before, sent))
