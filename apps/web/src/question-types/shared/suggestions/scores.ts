import type { Suggestion } from '@postil/contract/suggestions.ts'

type Suggested = Pick<Suggestion, 'score'> & { readonly value: readonly unknown[] }

/** The score of item number `index` of a suggested list; a list without scores has null for each. */
export const itemScore = ({ score }: Pick<Suggestion, 'score'>, index: number): number | null =>
  typeof score === 'number' || score === null ? null : (score[index] ?? null)

/** The score of a suggestion as a whole; null when it has one per item, or none. */
export const wholeScore = ({ score }: Pick<Suggestion, 'score'>): number | null => (typeof score === 'number' ? score : null)

/** Scores of a suggested list by item; what is not in it has none (undefined). */
export const scoresBy = <T>(suggestion: Suggested | null, keyOf: (item: unknown) => T): ReadonlyMap<T, number | null> =>
  new Map((suggestion?.value ?? []).map((item, index) => [keyOf(item), itemScore(suggestion!, index)] as const))
