import type { SecondFactorRefusal } from '@postil/contract/people/second-factor.ts'
import { ApiError } from '#lib/api/api-error.ts'

/** What a refusal says of the second factor: of somebody whose password was right, or who is inside; undefined when it says nothing. */
export const refusedFactor = (error: unknown): SecondFactorRefusal | undefined => {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'wrong_code') return 'wrong'
  return (error.body as { readonly second_factor?: SecondFactorRefusal } | undefined)?.second_factor
}
