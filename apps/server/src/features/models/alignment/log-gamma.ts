const COEFFICIENTS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905, -0.13857109526572012,
  9.9843695780195716e-6, 1.5056327351493116e-7,
]

/** The logarithm of the gamma function for x ≥ ½. Lanczos (1964), A precision approximation of the gamma function; g = 7. */
export const logGamma = (x: number): number => {
  const z = x - 1
  const sum = COEFFICIENTS.reduce((total, coefficient, i) => total + coefficient / (z + i + 1), 0.99999999999980993)
  const t = z + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum)
}
