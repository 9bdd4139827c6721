import type { SecondFactorRefusal } from '@postil/contract/people/second-factor.ts'
import { ApiError } from '#lib/api/api-error.ts'

/**
 * Returns what an error says about the second factor, for a user whose password was right or who is signed in. Undefined if it
 * says nothing.
 */
export const secondFactorRefusal = (error: unknown): SecondFactorRefusal | undefined => {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'wrong_code') return 'wrong'
  return (error.body as { readonly second_factor?: SecondFactorRefusal } | undefined)?.second_factor
}
