const shortest = 1000
const longest = 60_000

/** Milliseconds to wait before try number `failures` + 1: doubling, with up to half of it left to chance, so that a team does not come back in one instant. */
export const backoff = (failures: number, random: () => number = Math.random): number => {
  const full = Math.min(longest, shortest * 2 ** Math.max(0, failures - 1))
  return full / 2 + (full / 2) * random()
}
