/** Mean below which counting successes one by one is fastest. */
const SMALL_MEAN = 10

/** Sequential search through the distribution function. The number of steps equals the result. */
const smallBinomial = (n: number, p: number, random: () => number): number => {
  const odds = p / (1 - p)
  let probability = (1 - p) ** n
  let rest = random()
  let k = 0
  while (rest > probability && k < n) {
    rest -= probability
    k += 1
    probability *= ((n - k + 1) / k) * odds
  }
  return k
}

const stirlingTail = (k: number): number => {
  const squared = (k + 1) ** 2
  return (1 / 12 - (1 / 360 - 1 / 1260 / squared) / squared) / (k + 1)
}

/**
 * Transformed rejection with squeeze, in constant time. Hörmann (1993), The generation of binomial random variates. Requires
 * p ≤ 0.5.
 */
const largeBinomial = (n: number, p: number, random: () => number): number => {
  const deviation = Math.sqrt(n * p * (1 - p))
  const b = 1.15 + 2.53 * deviation
  const a = -0.0873 + 0.0248 * b + 0.01 * p
  const center = n * p + 0.5
  const squeeze = 0.92 - 4.2 / b
  const odds = p / (1 - p)
  const scale = (2.83 + 5.1 / b) * deviation
  const mode = Math.floor((n + 1) * p)
  for (;;) {
    const u = random() - 0.5
    const v = random()
    const distance = 0.5 - Math.abs(u)
    const k = Math.floor(((2 * a) / distance + b) * u + center)
    if (distance >= 0.07 && v <= squeeze) return k
    if (k < 0 || k > n) continue
    const bound =
      (mode + 0.5) * Math.log((mode + 1) / (odds * (n - mode + 1))) +
      (n + 1) * Math.log((n - mode + 1) / (n - k + 1)) +
      (k + 0.5) * Math.log((odds * (n - k + 1)) / (k + 1)) +
      stirlingTail(mode) +
      stirlingTail(n - mode) -
      stirlingTail(k) -
      stirlingTail(n - k)
    if (Math.log((v * scale) / (a / (distance * distance) + b)) <= bound) return k
  }
}

/** Draws the number of successes in n trials with success probability p. */
export const binomial = (n: number, p: number, random: () => number): number => {
  if (n === 0 || p <= 0) return 0
  if (p >= 1) return n
  if (p > 0.5) return n - binomial(n, 1 - p, random)
  return n * p < SMALL_MEAN ? smallBinomial(n, p, random) : largeBinomial(n, p, random)
}

/**
 * Draws units with replacement, as many as all groups contain together. Sets each element of `drawn` to the number of units drawn
 * from that group.
 * @param sizes number of units in each group
 */
export const drawUnits = (sizes: Float64Array, drawn: Float64Array, random: () => number): void => {
  let units = sizes.reduce((sum, size) => sum + size, 0)
  let left = units
  for (let i = 0; i < sizes.length; i += 1) {
    const count = units === 0 ? 0 : binomial(left, sizes[i]! / units, random)
    drawn[i] = count
    left -= count
    units -= sizes[i]!
  }
}
