import type { NewSecondFactor, RecoveryCodes } from '@postil/contract/people/second-factor.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'

/** Whether signing in requires a code. */
export const secondFactorQuery = () =>
  queryOptions({
    queryKey: ['my-second-factor'],
    queryFn: ({ signal }) => call('GET /me/second-factor', { signal }),
  })

/**
 * Returns the secret for an authenticator app. @param current_password not needed right after signing in. @throws ApiError 422
 * for a wrong password
 */
export const beginFactor = (current_password?: string): Promise<NewSecondFactor> =>
  call('POST /me/second-factor', { body: { current_password } })

/**
 * Activates the second factor with a first code from the app. Ends the user's other sessions. @throws ApiError 422 for a wrong
 * code
 */
export const activateFactor = (code: string): Promise<RecoveryCodes> => call('PUT /me/second-factor', { body: { code } })

/** @throws ApiError 422 for a wrong code */
export const renewCodes = (code: string): Promise<RecoveryCodes> =>
  call('POST /me/second-factor/recovery-codes', { body: { code } })

/** @throws ApiError 422 for a wrong password or code */
export const removeFactor = (current_password: string, code: string): Promise<void> =>
  call('POST /me/second-factor/remove', { body: { current_password, code } })
