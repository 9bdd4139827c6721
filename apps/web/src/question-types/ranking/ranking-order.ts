import type { RankingItem } from '@postil/contract/answer-value.ts'
import { offeredOptions } from '@postil/contract/question-types/label-changes.ts'
import type { Option } from '@postil/contract/question-types/options.ts'
import type { Completeness } from '../define.ts'

type Ranking = readonly RankingItem[] | null

/** Assigns ranks in list order if no item has a rank. The SDK sends and reads suggestions as lists in order of preference. */
export const sortByList = (ranking: readonly RankingItem[]): readonly RankingItem[] =>
  ranking.every(({ rank }) => rank === null) ? ranking.map(({ value }, index) => ({ value, rank: index + 1 })) : ranking

const placeOf = ({ rank }: RankingItem): number => rank ?? Number.MAX_VALUE

/** Sorts by rank. Answers must be sent in this order, because the SDK returns the options as a list without ranks. */
export const sortByRank = (ranking: readonly RankingItem[]): readonly RankingItem[] =>
  ranking.toSorted((a, b) => placeOf(a) - placeOf(b))

/** Returns an option's rank, starting at 1, or null if it has none. */
export const rankOf = (ranking: Ranking, value: string): number | null =>
  ranking?.find((item) => item.value === value)?.rank ?? null

export const itemsAtRank = (ranking: Ranking, rank: number): readonly string[] =>
  (ranking ?? []).filter((item) => item.rank === rank).map((item) => item.value)

/**
 * Sets an option's rank, or removes it if `rank` is null. Other options keep their ranks, so several options may share a rank,
 * and some ranks may be unused. The items are sorted by rank, because the SDK returns them without ranks.
 */
export const rankItem = (ranking: Ranking, options: readonly Option[], value: string, rank: number | null): Ranking => {
  const placed = options.flatMap((option) => {
    const now = option.value === value ? rank : rankOf(ranking, option.value)
    return now === null ? [] : [{ value: option.value, rank: now }]
  })
  return placed.length === 0 ? null : placed.toSorted((a, b) => a.rank - b.rank)
}

/**
 * Moves an option one rank up (-1) or down (1). The option swaps places with the option at the new rank if neither shares its
 * rank with another. If an option moves out of or into a tie, only that option moves. Unranked options are below the last rank.
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
 * Returns a function that moves options. If a move is immediately followed by the opposite move, the earlier ranking is restored.
 * The function remembers its moves for this purpose, because leaving a tie and swapping two options can give the same ranking.
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

/** The options that are offered, and those that the ranking already contains. */
export const rankedOptions = (ranking: Ranking, settings: Parameters<typeof offeredOptions<Option>>[0]): readonly Option[] =>
  offeredOptions(settings, (value) => rankOf(ranking, value) !== null)

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
