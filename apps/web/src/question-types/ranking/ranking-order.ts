import type { RankingItem } from '@postil/contract/answer-value.ts'
import type { Option } from '@postil/contract/question-types/options.ts'
import type { Completeness } from '../define.ts'

type Ranking = readonly RankingItem[] | null

/** A list without ranks is in order of preference. The SDK sends and reads suggestions this way. */
export const sortByList = (ranking: readonly RankingItem[]): readonly RankingItem[] =>
  ranking.every(({ rank }) => rank === null) ? ranking.map(({ value }, index) => ({ value, rank: index + 1 })) : ranking

const placeOf = ({ rank }: RankingItem): number => rank ?? Number.MAX_VALUE

/** Sorts by rank, whatever order was suggested, because the SDK returns options in list order without their ranks. */
export const sortByRank = (ranking: readonly RankingItem[]): readonly RankingItem[] =>
  ranking.toSorted((a, b) => placeOf(a) - placeOf(b))

/** Returns the rank of an option, from 1; null if it has none. */
export const rankOf = (ranking: Ranking, value: string): number | null =>
  ranking?.find((item) => item.value === value)?.rank ?? null

export const itemsAtRank = (ranking: Ranking, rank: number): readonly string[] =>
  (ranking ?? []).filter((item) => item.rank === rank).map((item) => item.value)

/**
 * Sets or removes (null) the rank of an option. The others keep theirs: ranks may be shared or skipped. The items are sorted by
 * rank, because the SDK returns them without ranks.
 */
export const rankItem = (ranking: Ranking, options: readonly Option[], value: string, rank: number | null): Ranking => {
  const placed = options.flatMap((option) => {
    const now = option.value === value ? rank : rankOf(ranking, option.value)
    return now === null ? [] : [{ value: option.value, rank: now }]
  })
  return placed.length === 0 ? null : placed.toSorted((a, b) => a.rank - b.rank)
}

/**
 * Moves an option one rank up (-1) or down (1). Two options that don't share their ranks swap places. When an option moves out
 * of a tie or into one, only that option moves. The place for unranked options is below the last rank.
 */
export const move = (ranking: Ranking, options: readonly Option[], value: string, by: -1 | 1): Ranking => {
  const rank = rankOf(ranking, value)
  const target = (rank ?? options.length + 1) + by
  if (target < 1 || target > options.length + 1) return ranking
  if (target > options.length) return rankItem(ranking, options, value, null)
  const moved = rankItem(ranking, options, value, target)
  const [other, ...more] = itemsAtRank(ranking, target)
  if (rank === null || other === undefined || more.length > 0 || itemsAtRank(ranking, rank).length > 1) return moved
  return rankItem(moved, options, other, rank)
}

/**
 * Moves options and remembers the last move, so that the opposite move right after it restores the ranking. The ranking alone
 * isn't enough, because leaving a tie and swapping places can give the same result.
 */
export const createMoves = () => {
  let moves: readonly { readonly before: Ranking; readonly after: Ranking; readonly value: string; readonly by: -1 | 1 }[] = []
  return (ranking: Ranking, options: readonly Option[], value: string, by: -1 | 1): Ranking => {
    const last = moves.at(-1)
    const continues = last?.after === ranking && last.value === value
    if (continues && last.by !== by) {
      moves = moves.slice(0, -1)
      return last.before
    }
    const after = move(ranking, options, value, by)
    if (after !== ranking) moves = [...(continues ? moves : []), { before: ranking, after, value, by }]
    return after
  }
}

/** Returns the best unused rank. */
export const firstFreeRank = (ranking: Ranking, options: readonly Option[]): number => {
  const usedRanks = new Set((ranking ?? []).map((item) => item.rank))
  return options.findIndex((_, index) => !usedRanks.has(index + 1)) + 1 || options.length
}

export const unrankedItems = (ranking: Ranking, options: readonly Option[]): readonly Option[] =>
  options.filter((option) => rankOf(ranking, option.value) === null)

/** Returns the cards in display order: by rank, then the unranked ones. */
export const toDisplayOrder = (ranking: Ranking, options: readonly Option[]): readonly string[] => [
  ...options.flatMap((_, index) => itemsAtRank(ranking, index + 1)),
  ...unrankedItems(ranking, options).map((option) => option.value),
]

export const completeness = (ranking: Ranking, options: readonly Option[]): Completeness => {
  const count = options.filter((option) => {
    const rank = rankOf(ranking, option.value)
    return rank !== null && rank >= 1 && rank <= options.length
  }).length
  return count === 0 ? 'empty' : count === options.length ? 'complete' : 'partial'
}
