import type { AnswerValue } from './answer-value.ts'
import { comparableText } from './comparable-text.ts'
import type { JsonValue } from './wire/json.ts'

/**
 * How an answered value relates to the suggestion that was shown. `confirmed`: the person looked at the suggestion and kept it.
 * `changed`: the value differs, or was removed. `accepted_unseen`: the suggestion was stored without being confirmed.
 */
export const suggestionOutcomes = ['confirmed', 'changed', 'accepted_unseen'] as const
export type SuggestionOutcome = (typeof suggestionOutcomes)[number]

/** An outcome, and the agent that made the suggestion. */
export type SuggestionUse = { readonly outcome: SuggestionOutcome; readonly agent: string | null }
/** Keyed by question name. A question without a suggestion has no entry. */
export type SuggestionOutcomes = { readonly [question: string]: SuggestionUse }

/**
 * The outcome of a suggestion for an answered value.
 * @param isSeen whether a person has confirmed the value or given it themselves
 */
export const suggestionOutcome = (
  value: AnswerValue | null,
  suggested: AnswerValue,
  { isSeen }: { readonly isSeen: boolean },
): SuggestionOutcome => {
  const isEqual = value !== null && comparableText(value as JsonValue) === comparableText(suggested as JsonValue)
  if (!isEqual) return 'changed'
  return isSeen ? 'confirmed' : 'accepted_unseen'
}
