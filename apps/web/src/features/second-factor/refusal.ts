import type { SecondFactorRefusal } from '@postil/contract/second-factor.ts'
import { ApiError } from '#lib/api/api-error.ts'

/** What a refused sign-in says of the second factor of somebody whose password was right; undefined when it says nothing. */
export const refusedFactor = (error: Error): SecondFactorRefusal | undefined =>
  error instanceof ApiError
    ? (error.body as { readonly second_factor?: SecondFactorRefusal } | undefined)?.second_factor
    : undefined
