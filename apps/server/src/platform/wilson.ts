/** The 97.5% quantile of the standard normal distribution, for 95% intervals. */
export const Z = 1.959963984540054

/**
 * The 95% interval of a share. Wilson (1927), Probable inference, the law of succession, and statistical inference.
 * @param successes may be a fraction, because answers can be partly right
 */
export const wilsonInterval = (successes: number, trials: number): { readonly low: number; readonly high: number } => {
  const share = successes / trials
  const center = share + Z ** 2 / (2 * trials)
  const half = Z * Math.sqrt((share * (1 - share)) / trials + Z ** 2 / (4 * trials ** 2))
  const scale = 1 + Z ** 2 / trials
  return { low: Math.max(0, (center - half) / scale), high: Math.min(1, (center + half) / scale) }
}
