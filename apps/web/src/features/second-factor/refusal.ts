import type { SecondFactorRefusal } from '@postil/contract/people/second-factor.ts'
import { ApiError } from '#lib/api/api-error.ts'

/**
 * Returns the second-factor problem that an error reports; undefined if there is none. The server reports such problems only to
 * users who have entered the right password or are signed in.
 */
export const secondFactorRefusal = (error: unknown): SecondFactorRefusal | undefined => {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'wrong_code') return 'wrong'
  return (error.body as { readonly second_factor?: SecondFactorRefusal } | undefined)?.second_factor
}
