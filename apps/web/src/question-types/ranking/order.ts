import type { RankingItem } from '@postil/contract/answer-value.ts'
import type { Option } from '@postil/contract/question-types/options.ts'
import type { Completeness } from '../define.ts'

type Ranking = readonly RankingItem[] | null

/** A list in which nothing has a rank is in the order of preference: so the SDK sends what is suggested, and so it reads it. */
export const inListOrder = (ranking: readonly RankingItem[]): readonly RankingItem[] =>
  ranking.every(({ rank }) => rank === null) ? ranking.map(({ value }, index) => ({ value, rank: index + 1 })) : ranking

const placeOf = ({ rank }: RankingItem): number => rank ?? Number.MAX_VALUE

/** From the first rank to the last, whatever order was suggested: the SDK gives options in the order of the list, without their ranks. */
export const inRankOrder = (ranking: readonly RankingItem[]): readonly RankingItem[] =>
  ranking.toSorted((a, b) => placeOf(a) - placeOf(b))

/** The rank of an option, from 1; null while it has none. */
export const rankOf = (ranking: Ranking, value: string): number | null =>
  ranking?.find((item) => item.value === value)?.rank ?? null

export const atRank = (ranking: Ranking, rank: number): readonly string[] =>
  (ranking ?? []).filter((item) => item.rank === rank).map((item) => item.value)

/**
 * Gives an option a rank, or takes it with null. Others stay: two may share one, and ranks may be left out. The items lie
 * in the order of their ranks: the SDK gives them without.
 */
export const place = (ranking: Ranking, options: readonly Option[], value: string, rank: number | null): Ranking => {
  const placed = options.flatMap((option) => {
    const now = option.value === value ? rank : rankOf(ranking, option.value)
    return now === null ? [] : [{ value: option.value, rank: now }]
  })
  return placed.length === 0 ? null : placed.toSorted((a, b) => a.rank - b.rank)
}

/**
 * Moves an option one rank up (-1) or down (1). Two that each have their rank alone change places; out of a tie, or into
 * one, only the option itself moves. Below the last rank lies the place of those without one.
 */
export const move = (ranking: Ranking, options: readonly Option[], value: string, by: -1 | 1): Ranking => {
  const rank = rankOf(ranking, value)
  const target = (rank ?? options.length + 1) + by
  if (target < 1 || target > options.length + 1) return ranking
  if (target > options.length) return place(ranking, options, value, null)
  const moved = place(ranking, options, value, target)
  const [other, ...more] = atRank(ranking, target)
  if (rank === null || other === undefined || more.length > 0 || atRank(ranking, rank).length > 1) return moved
  return place(moved, options, other, rank)
}

/**
 * Moves options, and remembers it: the opposite move right after gives the ranking back as it was. It cannot be told from
 * the ranking alone, where leaving a tie and changing places come to the same.
 */
export const createMoves = () => {
  let made: readonly { readonly before: Ranking; readonly after: Ranking; readonly value: string; readonly by: -1 | 1 }[] = []
  return (ranking: Ranking, options: readonly Option[], value: string, by: -1 | 1): Ranking => {
    const last = made.at(-1)
    const goesOn = last?.after === ranking && last.value === value
    if (goesOn && last.by !== by) {
      made = made.slice(0, -1)
      return last.before
    }
    const after = move(ranking, options, value, by)
    if (after !== ranking) made = [...(goesOn ? made : []), { before: ranking, after, value, by }]
    return after
  }
}

/** The best rank that nobody has. */
export const freeRank = (ranking: Ranking, options: readonly Option[]): number => {
  const taken = new Set((ranking ?? []).map((item) => item.rank))
  return options.findIndex((_, index) => !taken.has(index + 1)) + 1 || options.length
}

export const unranked = (ranking: Ranking, options: readonly Option[]): readonly Option[] =>
  options.filter((option) => rankOf(ranking, option.value) === null)

/** Cards as they lie on the screen: by rank, then those without one. */
export const asShown = (ranking: Ranking, options: readonly Option[]): readonly string[] => [
  ...options.flatMap((_, index) => atRank(ranking, index + 1)),
  ...unranked(ranking, options).map((option) => option.value),
]

export const completeness = (ranking: Ranking, options: readonly Option[]): Completeness => {
  const count = options.filter((option) => {
    const rank = rankOf(ranking, option.value)
    return rank !== null && rank >= 1 && rank <= options.length
  }).length
  return count === 0 ? 'empty' : count === options.length ? 'complete' : 'partial'
}
