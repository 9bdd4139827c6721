import { randomFrom } from '#platform/random.ts'

/** Results of two players against each other. `wins` and `losses` are those of the first player. */
export type Pair = {
  readonly first: number
  readonly second: number
  readonly wins: number
  readonly losses: number
  readonly ties: number
}

/** The strengths of the players that can be compared. */
type Strengths = ReadonlyMap<number, number>

const MAX_ROUNDS = 10_000
const TOLERANCE = 1e-10

/** How often each player has beaten each opponent. A tie counts as half a win for both. */
const winsOf = (pairs: readonly Pair[]): ReadonlyMap<number, ReadonlyMap<number, number>> => {
  const wins = new Map<number, Map<number, number>>()
  const add = (winner: number, loser: number, n: number): void => {
    const row = wins.get(winner) ?? new Map<number, number>()
    wins.set(winner, row)
    if (n > 0) row.set(loser, (row.get(loser) ?? 0) + n)
  }
  for (const { first, second, wins: won, losses, ties } of pairs) {
    add(first, second, won + ties / 2)
    add(second, first, losses + ties / 2)
  }
  return wins
}

/**
 * The largest set of players in which every player has beaten every other player, directly or through a chain of wins. Outside
 * such a set, the best-fitting strengths are infinite (Ford 1957). If several sets are equally large, the set that contains the
 * lowest player number is returned.
 */
const connectedPlayers = (wins: ReadonlyMap<number, ReadonlyMap<number, number>>): ReadonlySet<number> => {
  const reachable = (from: number, next: (player: number) => Iterable<number>): Set<number> => {
    const seen = new Set([from])
    for (const player of seen) for (const other of next(player)) seen.add(other)
    return seen
  }
  const beaten = (player: number): Iterable<number> => wins.get(player)?.keys() ?? []
  const beatenBy = (player: number): Iterable<number> => [...wins].flatMap(([other, row]) => (row.has(player) ? [other] : []))
  let largest: ReadonlySet<number> = new Set()
  const left = new Set([...wins.keys()].sort((a, b) => a - b))
  for (const player of left) {
    const backward = reachable(player, beatenBy)
    const set = new Set([...reachable(player, beaten)].filter((other) => backward.has(other)))
    for (const other of set) left.delete(other)
    if (set.size > largest.size) largest = set
  }
  return largest.size < 2 ? new Set() : largest
}

/**
 * The maximum-likelihood strengths, computed with the MM algorithm of Hunter (2004), MM algorithms for generalized
 * Bradley–Terry models. P(i beats j) = 1 / (1 + exp(s_j − s_i)). The mean strength is 0.
 * @returns the strengths of the largest set of connected players; empty if no two players are connected
 */
export const strengthsOf = (pairs: readonly Pair[], start: Strengths = new Map()): Strengths => {
  const wins = winsOf(pairs)
  const players = [...connectedPlayers(wins)].sort((a, b) => a - b)
  if (players.length === 0) return new Map()
  const index = new Map(players.map((player, at) => [player, at]))
  const total = players.map(() => 0)
  /** For each player, the opponents and the number of comparisons with each. */
  const games = players.map(() => new Map<number, number>())
  for (const [player, row] of wins) {
    const at = index.get(player)
    for (const [other, n] of row) {
      const opponent = index.get(other)
      if (at === undefined || opponent === undefined) continue
      total[at] = (total[at] ?? 0) + n
      games[at]?.set(opponent, (games[at]?.get(opponent) ?? 0) + n)
      games[opponent]?.set(at, (games[opponent]?.get(at) ?? 0) + n)
    }
  }
  let current = players.map((player) => Math.exp(start.get(player) ?? 0))
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = current.map((own, at) => {
      let expected = 0
      for (const [opponent, n] of games[at] ?? []) expected += n / (own + (current[opponent] ?? 1))
      return (total[at] ?? 0) / expected
    })
    const center = Math.exp(next.reduce((sum, one) => sum + Math.log(one), 0) / next.length)
    const scaled = next.map((one) => one / center)
    const change = Math.max(...scaled.map((one, at) => Math.abs(Math.log(one / (current[at] ?? one)))))
    current = scaled
    if (change < TOLERANCE) break
  }
  return new Map(players.map((player, at) => [player, Math.log(current[at] ?? 1)]))
}

/** Draws a number from a Poisson distribution. If the mean is large, uses the normal approximation. */
const poisson = (mean: number, random: () => number): number => {
  if (mean === 0) return 0
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal))
  }
  const limit = Math.exp(-mean)
  let [count, product] = [0, random()]
  while (product > limit) {
    count += 1
    product *= random()
  }
  return count
}

const SAMPLES = 200
const SEED = 2004

/**
 * 95% intervals of the strengths, from the percentiles of a Poisson bootstrap over the comparisons. Samples whose comparisons
 * don't connect all players are ignored. The same results give the same intervals.
 * @returns the lower and upper ends of each player's interval; empty if more than half of the samples are ignored
 */
export const intervalsOf = (
  pairs: readonly Pair[],
  strengths: Strengths,
): ReadonlyMap<number, { readonly low: number; readonly high: number }> => {
  const random = randomFrom(SEED)
  const ranked = pairs.filter(({ first, second }) => strengths.has(first) && strengths.has(second))
  const samples: Strengths[] = []
  for (let at = 0; at < SAMPLES; at += 1) {
    const drawn = ranked.map((pair) => ({
      ...pair,
      wins: poisson(pair.wins, random),
      losses: poisson(pair.losses, random),
      ties: poisson(pair.ties, random),
    }))
    const sample = strengthsOf(drawn, strengths)
    if (sample.size === strengths.size) samples.push(sample)
  }
  if (samples.length * 2 < SAMPLES) return new Map()
  const end = (sorted: readonly number[], share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0
  return new Map(
    [...strengths.keys()].map((player) => {
      const sorted = samples.map((sample) => sample.get(player) ?? 0).sort((a, b) => a - b)
      return [player, { low: end(sorted, 0.025), high: end(sorted, 0.975) }]
    }),
  )
}
