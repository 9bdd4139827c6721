const shortest = 1000
const longest = 60_000

/**
 * Returns how long to wait after this many failures in a row, in milliseconds. The wait doubles with each failure. Up to half
 * of it is random, so that a team's browsers don't all retry at the same moment.
 */
export const backoff = (failures: number, random: () => number = Math.random): number => {
  const full = Math.min(longest, shortest * 2 ** Math.max(0, failures - 1))
  return full / 2 + (full / 2) * random()
}
