import type {
  activateSecondFactor,
  beginSecondFactor,
  getSecondFactor,
  NewSecondFactor,
  RecoveryCodes,
  removeSecondFactor,
  renewRecoveryCodes,
} from '@postil/contract/people/second-factor.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'

const factor = '/api/v1/me/second-factor'

/** Whether signing in requires a code. */
export const secondFactorQuery = () =>
  queryOptions({
    queryKey: ['my-second-factor'],
    queryFn: ({ signal }) => call<typeof getSecondFactor>('GET', factor, { signal }),
  })

/**
 * Returns the secret for an authenticator app. @param current_password not needed right after signing in. @throws ApiError 422
 * for a wrong password
 */
export const beginFactor = (current_password?: string): Promise<NewSecondFactor> =>
  call<typeof beginSecondFactor>('POST', factor, { body: { current_password } })

/**
 * Activates the second factor with a first code from the app. Ends the user's other sessions. @throws ApiError 422 for a wrong
 * code
 */
export const activateFactor = (code: string): Promise<RecoveryCodes> =>
  call<typeof activateSecondFactor>('PUT', factor, { body: { code } })

/** @throws ApiError 422 for a wrong code */
export const renewCodes = (code: string): Promise<RecoveryCodes> =>
  call<typeof renewRecoveryCodes>('POST', `${factor}/recovery-codes`, { body: { code } })

/** @throws ApiError 422 for a wrong password or code */
export const removeFactor = (current_password: string, code: string): Promise<void> =>
  call<typeof removeSecondFactor>('POST', `${factor}/remove`, { body: { current_password, code } })
