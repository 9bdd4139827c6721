import type { Suggestion } from '@postil/contract/suggestions.ts'

type Suggested = Pick<Suggestion, 'score'> & { readonly value: readonly unknown[] }

/** Returns the score of item `index` of a suggested list, or null if the list has no scores. */
export const itemScore = ({ score }: Pick<Suggestion, 'score'>, index: number): number | null =>
  typeof score === 'number' || score === null ? null : (score[index] ?? null)

/** Returns the score of a whole suggestion, or null if the suggestion has no score or one score per item. */
export const wholeScore = ({ score }: Pick<Suggestion, 'score'>): number | null => (typeof score === 'number' ? score : null)

/** Returns the scores of the items in a suggested list, keyed by item. Items that aren't in the list have none. */
export const scoresBy = <T>(suggestion: Suggested | null, keyOf: (item: unknown) => T): ReadonlyMap<T, number | null> =>
  new Map((suggestion?.value ?? []).map((item, index) => [keyOf(item), itemScore(suggestion!, index)] as const))
