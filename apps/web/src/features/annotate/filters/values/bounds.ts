/**
 * Maps the integer steps of a slider to numbers between the minimum and the maximum. The ends are exact. The numbers between
 * them are as round as the step size allows.
 */
type Scale = { readonly min: number; readonly max: number; readonly whole: boolean }

const mostSteps = 200

export const stepsOf = ({ min, max, whole }: Scale): number => (whole ? Math.min(mostSteps, Math.round(max - min)) : mostSteps)

/**
 * The number of decimal places that are needed to distinguish two neighboring steps. If it is negative, values are rounded to
 * tens, hundreds and so on.
 */
const digitsOf = (scale: Scale): number => {
  const step = (scale.max - scale.min) / stepsOf(scale)
  const digits = Math.ceil(-Math.log10(step))
  return scale.whole ? Math.min(0, digits) : digits
}

const rounded = (value: number, digits: number): number => {
  const factor = 10 ** Math.abs(digits)
  return digits >= 0 ? Math.round(value * factor) / factor : Math.round(value / factor) * factor
}

export const valueAt = (step: number, scale: Scale): number => {
  const { min, max } = scale
  const steps = stepsOf(scale)
  if (step <= 0) return min
  if (step >= steps) return max
  return Math.min(max, Math.max(min, rounded(min + ((max - min) * step) / steps, digitsOf(scale))))
}

/** Returns the step nearest to a number. Numbers beyond an end map to that end. */
export const stepAt = (value: number, scale: Scale): number => {
  const { min, max } = scale
  const steps = stepsOf(scale)
  return Math.min(steps, Math.max(0, Math.round(((value - min) / (max - min)) * steps)))
}
