import type { AnswerValue, AnswerValues } from '@postil/contract/answer-value.ts'
import { fittingShown, type Shown } from '@postil/contract/comparison-sides.ts'
import { type ConditionMetadata, hiddenByRetirement } from '@postil/contract/conditions.ts'
import { currentAnswerValue } from '@postil/contract/question-types/index.ts'
import { withLabels } from '@postil/contract/question-types/with-labels.ts'
import type { Returned } from '@postil/contract/responses.ts'
import type { SuggestionOutcomes } from '@postil/contract/suggestion-use.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import type { Answer } from './made-changes.ts'
import type { StoredResponse } from './rows.ts'
import type { ScopeQuestion } from './scope.ts'
import type { SentAnswer } from './sent-answer.ts'

/* Parts of a stored answer that clients can omit when they change the answer. */

type Before = { readonly values: StoredResponse['values']; readonly suggestion_outcomes: SuggestionOutcomes | null } | null

/**
 * Returns the sent answer together with the stored values of questions that are no longer asked, and of questions that depend on
 * them. The web app doesn't send these values, and they must not be lost when the author changes another value. Values that were
 * sent are kept as they are. The result need not be validated: the stored values were valid when they were sent, and the author
 * can't change them.
 * @param metadata the record's metadata; undefined if it is unknown
 */
export const withRetiredValues = (
  sent: SentAnswer,
  before: Before,
  questions: readonly ScopeQuestion[],
  metadata: ConditionMetadata | undefined,
): SentAnswer => {
  // Copied answers stay exactly as they are on the other server.
  if (before === null || sent.original !== undefined) return sent
  const values = sent.values ?? {}
  const all = { ...before.values, ...values }
  const kept = [...hiddenByRetirement(questions, all, metadata)].filter(
    (name) => Object.hasOwn(before.values, name) && !Object.hasOwn(values, name),
  )
  if (kept.length === 0) return sent
  const stored: AnswerValues = Object.fromEntries(
    // The contract's schema validated the values before they were stored.
    kept.map((name) => [name, before.values[name] as { readonly value: AnswerValue }]),
  )
  const outcomes = before.suggestion_outcomes ?? {}
  const keptOutcomes = kept.flatMap((name) => (Object.hasOwn(outcomes, name) ? [[name, outcomes[name]]] : []))
  return {
    ...sent,
    values: { ...values, ...withLabels(stored, questions, currentAnswerValue) },
    ...(sent.suggestion_outcomes != null && {
      suggestion_outcomes: { ...Object.fromEntries(keptOutcomes), ...sent.suggestion_outcomes },
    }),
  }
}

/**
 * The outcomes of an answer's suggestions. Some clients don't send outcomes. If such a client leaves the values unchanged, the
 * answer keeps its outcomes. If it changes the values, the outcomes become unknown.
 */
export const outcomesAfter = (before: Answer, { values, suggestion_outcomes }: SentAnswer): SuggestionOutcomes | null => {
  if (suggestion_outcomes !== undefined) return suggestion_outcomes
  return before !== null && jsonEquals(before.values, values ?? {}) ? before.suggestion_outcomes : null
}

/**
 * Returns the order in which the author saw the compared fields. Entries that don't fit the questions are left out, so that they
 * don't prevent the answer from being stored. If the client omits the order, an answer with unchanged values keeps its order. If
 * the values change, the order becomes unknown.
 */
export const shownAfter = (before: Answer, { values, shown }: SentAnswer, questions: readonly ScopeQuestion[]): Shown | null => {
  if (shown !== undefined) return fittingShown(shown, questions)
  return before !== null && jsonEquals(before.values, values ?? {}) ? (before.shown ?? null) : null
}

/** A returned answer is always a draft. Submitting or discarding it ends the return. */
export const returnedAfter = (before: Answer, { status, returned }: SentAnswer): Returned | null => {
  if (status !== 'draft') return null
  return returned === undefined ? (before?.returned ?? null) : returned
}

/**
 * Whether an answer equals the stored one. Clients read records and send them back. Answers that come back unchanged must not
 * count as changes.
 */
export const isUnchanged = (before: Answer, sent: SentAnswer): boolean =>
  before !== null &&
  sent.original === undefined &&
  !sent.active_ms &&
  before.status === sent.status &&
  jsonEquals(before.values, sent.values ?? {}) &&
  jsonEquals(before.suggestion_outcomes, outcomesAfter(before, sent)) &&
  (sent.shown == null || jsonEquals(before.shown, sent.shown)) &&
  jsonEquals(before.returned, returnedAfter(before, sent))
