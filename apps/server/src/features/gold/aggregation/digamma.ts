/** The coefficients of the asymptotic series: B_2n / 2n for n = 1, 2, …, where B_2n are the Bernoulli numbers. */
const COEFFICIENTS = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32_760, 1 / 12]

/** The smallest value for which the series is exact to 15 digits. */
const LARGE = 10

/**
 * The derivative of ln Γ(x), for x > 0: ψ(x) = ψ(x + 1) − 1/x until x is large, then ln x − 1/(2x) − Σ_n B_2n / (2n x^2n).
 * Abramowitz and Stegun (1964), 6.3.5 and 6.3.18.
 */
export const digamma = (x: number): number => {
  let shifted = x
  let correction = 0
  while (shifted < LARGE) {
    correction += 1 / shifted
    shifted += 1
  }
  const inverse = 1 / (shifted * shifted)
  let series = 0
  for (let n = COEFFICIENTS.length - 1; n >= 0; n -= 1) series = (series + COEFFICIENTS[n]!) * inverse
  return Math.log(shifted) - 1 / (2 * shifted) - series - correction
}
