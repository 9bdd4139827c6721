import { tauB } from '#question-types/similarity.ts'
import { type Answers, forEachSharedUnit } from './answers.ts'

/** Replaces ranks with mean ranks: tied options share the mean of the places that they occupy. */
const meanRanks = (ranks: ArrayLike<number>): { readonly ranks: Float64Array; readonly ties: number } => {
  const means = new Float64Array(ranks.length)
  let ties = 0
  for (let i = 0; i < ranks.length; i += 1) {
    let [lower, equal] = [0, 0]
    for (let j = 0; j < ranks.length; j += 1) {
      if (ranks[j]! < ranks[i]!) lower += 1
      else if (ranks[j] === ranks[i]) equal += 1
    }
    means[i] = lower + (equal + 1) / 2
    // Each of the t options in a tie adds 1/t of t³ − t.
    ties += equal * equal - 1
  }
  return { ranks: means, ties }
}

/**
 * Kendall's W of the rankings of one unit, corrected for ties: 12·ΣD² / (m²(n³ − n) − m·Σ(t³ − t)), where m is the number of
 * rankings, n the number of options, D an option's rank sum minus the mean rank sum, and t the number of options in a tie.
 * Kendall and Babington Smith (1939), The problem of m rankings. Null if all options of all rankings are tied.
 */
export const kendallW = (rankings: readonly ArrayLike<number>[]): number | null => {
  const m = rankings.length
  const n = rankings[0]?.length ?? 0
  const sums = new Float64Array(n)
  let ties = 0
  for (const ranking of rankings) {
    const mean = meanRanks(ranking)
    ties += mean.ties
    for (let i = 0; i < n; i += 1) sums[i]! += mean.ranks[i]!
  }
  const mean = (m * (n + 1)) / 2
  const squares = sums.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  const most = m * m * (n ** 3 - n) - m * ties
  return most === 0 ? null : (12 * squares) / most
}

/**
 * The agreement of rankings in units with at least two rankings. `taus` contains the mean tau-b of each unit, and `concordances`
 * contains each unit's W. Each list leaves out units for which its value is undefined.
 */
type RankingUnits = { readonly taus: readonly number[]; readonly concordances: readonly number[] }

/** @param rankings for each distinct value, the rank of each option; the options are in the same order for all values */
export const compareRankings = (answers: Answers, rankings: readonly (readonly number[])[]): RankingUnits => {
  const taus: number[] = []
  const concordances: number[] = []
  forEachSharedUnit(answers, (from, to) => {
    let [sum, count] = [0, 0]
    const given = Array.from(answers.values.subarray(from, to)).sort((a, b) => a - b)
    for (let i = 0; i < given.length; i += 1) {
      for (let j = i + 1; j < given.length; j += 1) {
        const found = tauB(rankings[given[i]!]!, rankings[given[j]!]!)
        if (found === null) continue
        sum += found
        count += 1
      }
    }
    if (count > 0) taus.push(sum / count)
    const w = kendallW(given.map((value) => rankings[value]!))
    if (w !== null) concordances.push(w)
  })
  return { taus, concordances }
}
