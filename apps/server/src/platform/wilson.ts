/** The 97.5% quantile of the standard normal distribution, for 95% intervals. */
export const Z = 1.959963984540054

/**
 * The 95% interval of a proportion. Wilson (1927), Probable inference, the law of succession, and statistical inference.
 * @param successes may be a fraction, because answers can be partly correct
 */
export const wilsonInterval = (successes: number, trials: number): { readonly low: number; readonly high: number } => {
  const share = successes / trials
  const center = share + Z ** 2 / (2 * trials)
  const half = Z * Math.sqrt((share * (1 - share)) / trials + Z ** 2 / (4 * trials ** 2))
  const scale = 1 + Z ** 2 / trials
  return { low: Math.max(0, (center - half) / scale), high: Math.min(1, (center + half) / scale) }
}

type Successes = { readonly successes: number; readonly trials: number }

/**
 * The difference between the proportions of two independent samples, first minus second, with its 95% interval. Newcombe (1998),
 * Interval estimation for the difference between independent proportions, method 10. Both samples must have trials.
 */
export const differenceOfShares = (
  first: Successes,
  second: Successes,
): { readonly value: number; readonly low: number; readonly high: number } => {
  const [p, q] = [first.successes / first.trials, second.successes / second.trials]
  const a = wilsonInterval(first.successes, first.trials)
  const b = wilsonInterval(second.successes, second.trials)
  return { value: p - q, low: p - q - Math.hypot(p - a.low, b.high - q), high: p - q + Math.hypot(a.high - p, q - b.low) }
}
