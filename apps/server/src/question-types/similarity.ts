import type { Span } from '@postil/contract/answer-value.ts'

/* How similar two answers are, for measures of agreement. */

/** Number of elements that two ascending lists share. */
export const sharedCount = <T extends number | string>(a: readonly T[], b: readonly T[]): number => {
  let shared = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const x = a[i]!
    const y = b[j]!
    if (x === y) shared += 1
    if (x <= y) i += 1
    if (y <= x) j += 1
  }
  return shared
}

/** |A ∩ B| / |A ∪ B| of two ascending lists; 1 for two empty lists. */
export const jaccardSimilarity = <T extends number | string>(a: readonly T[], b: readonly T[]): number => {
  const shared = sharedCount(a, b)
  const union = a.length + b.length - shared
  return union === 0 ? 1 : shared / union
}

/**
 * Kendall's tau-b of two rankings of the same options, given as ranks: (P − Q) / √((P + Q + T_x)(P + Q + T_y)), where P is the
 * number of concordant pairs, Q the number of discordant pairs, and T_x and T_y the numbers of pairs that are tied only in x
 * and only in y. Kendall (1945), The treatment of ties in ranking problems. Null if all options of a ranking are tied.
 */
export const tauB = (x: ArrayLike<number>, y: ArrayLike<number>): number | null => {
  let [difference, inX, inY] = [0, 0, 0]
  for (let i = 0; i < x.length; i += 1) {
    for (let j = i + 1; j < x.length; j += 1) {
      const dx = Math.sign(x[i]! - x[j]!)
      const dy = Math.sign(y[i]! - y[j]!)
      difference += dx * dy
      inX += Math.abs(dx)
      inY += Math.abs(dy)
    }
  }
  return inX === 0 || inY === 0 ? null : difference / Math.sqrt(inX * inY)
}

/** The similarity of two different rankings: (1 + tau-b) / 2, or 0.5 if tau-b is undefined. */
export const rankingSimilarity = (x: ArrayLike<number>, y: ArrayLike<number>): number => (1 + (tauB(x, y) ?? 0)) / 2

/**
 * Number of spans with the same label and offsets in both lists. A span that occurs m times in `a` and n times in `b` counts
 * min(m, n) times.
 */
export const exactMatches = (a: readonly Span[], b: readonly Span[]): number => {
  const keyOf = ({ label, start, end }: Span) => `${start} ${end} ${label}`
  const rest = new Map<string, number>()
  for (const span of a) rest.set(keyOf(span), (rest.get(keyOf(span)) ?? 0) + 1)
  let matched = 0
  for (const span of b) {
    const left = rest.get(keyOf(span)) ?? 0
    if (left === 0) continue
    rest.set(keyOf(span), left - 1)
    matched += 1
  }
  return matched
}

/** F1 of two answers: 2·TP / (|a| + |b|). 1 for two answers without spans. */
export const spanF1 = (spans: number, matches: number): number => (spans === 0 ? 1 : (2 * matches) / spans)
