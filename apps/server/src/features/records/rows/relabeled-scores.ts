import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { SuggestionScore } from '@postil/contract/suggestions.ts'

type Suggestion = { readonly value: AnswerValue; readonly score: SuggestionScore | null }
type Item = { readonly value?: unknown }

/** Returns a key for one item of a value. Equal items have the same key, even if their ranks in a ranking differ. */
const keyOf = (item: unknown): string =>
  JSON.stringify(typeof item === 'object' && item !== null && 'value' in item ? (item as Item).value : item)

/**
 * The scores of a suggestion whose labels change. Each item of a list has its own score, and items that become equal keep the
 * highest one.
 * @param after the value with the new labels. @param relabel replaces the labels of one item, and returns a list
 */
export const scoresAfter = (
  { value, score }: Suggestion,
  after: AnswerValue,
  relabel: (item: unknown) => AnswerValue,
): SuggestionScore | null => {
  if (!Array.isArray(score) || !Array.isArray(value) || !Array.isArray(after)) return score
  const highest = new Map<string, number>()
  for (const [i, item] of value.entries()) {
    const [renamed] = relabel(item) as readonly unknown[]
    const key = keyOf(renamed)
    highest.set(key, Math.max(score[i] ?? 0, highest.get(key) ?? 0))
  }
  return after.map((item) => highest.get(keyOf(item)) ?? 0)
}
