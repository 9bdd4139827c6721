const shortest = 1000
const longest = 60_000

/**
 * Returns the milliseconds to wait before attempt `failures` + 1: doubling, with up to half of it random, so that a team's
 * browsers don't all return at the same moment.
 */
export const backoff = (failures: number, random: () => number = Math.random): number => {
  const full = Math.min(longest, shortest * 2 ** Math.max(0, failures - 1))
  return full / 2 + (full / 2) * random()
}
