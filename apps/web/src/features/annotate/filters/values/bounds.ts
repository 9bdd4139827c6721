/**
 * A slider stands on whole steps between the least and the greatest number; these say which number a step means. The ends
 * are the exact ones; between them numbers are as round as the distance of two steps allows.
 */
export type Scale = { readonly min: number; readonly max: number; readonly whole: boolean }

const mostSteps = 200

export const stepsOf = ({ min, max, whole }: Scale): number => (whole ? Math.min(mostSteps, Math.round(max - min)) : mostSteps)

/** Digits after the point that tell two neighbouring steps apart; negative ones round to tens, hundreds and so on. */
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

/** The step that is nearest to a number; those beyond an end stand at it. */
export const stepAt = (value: number, scale: Scale): number => {
  const { min, max } = scale
  const steps = stepsOf(scale)
  return Math.min(steps, Math.max(0, Math.round(((value - min) / (max - min)) * steps)))
}
