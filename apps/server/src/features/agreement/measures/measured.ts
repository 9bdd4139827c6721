import type { UndefinedReason } from '@postil/contract/agreement.ts'

/** A coefficient, or the reason why it is undefined. An undefined coefficient is never reported as 0, 1 or NaN. */
export type Measured =
  | { readonly value: number; readonly reason: null }
  | { readonly value: null; readonly reason: UndefinedReason }

export const defined = (value: number): Measured => ({ value, reason: null })
export const undefinedBecause = (reason: UndefinedReason): Measured => ({ value: null, reason })
