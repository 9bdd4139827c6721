import { z } from 'zod'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { printedDatetime, text } from '../wire/scalars.ts'

/** The number of recovery codes. A code can be used instead of a lost device. Each code works once. */
export const recoveryCodes = 10

export const SecondFactor = z.strictObject({
  /** When two-factor authentication was turned on. Null if it is off. */
  active_since: printedDatetime().nullable(),
  /** The number of unused recovery codes. */
  recovery_codes: z.int(),
  /** Whether the server requires the caller to use two-factor authentication. If so, it can't be turned off. */
  required: z.boolean(),
})
export type SecondFactor = z.infer<typeof SecondFactor>

/** The secret for an authenticator app, as text to type and as a URI to scan. */
export const NewSecondFactor = z.strictObject({ secret: z.string(), uri: z.string() })
export type NewSecondFactor = z.infer<typeof NewSecondFactor>

export const RecoveryCodes = z.strictObject({ recovery_codes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

/**
 * What a caller must do if the second factor is still missing: set it up, or enter a code. Until then, requests to most
 * endpoints are refused.
 */
export const SecondFactorDue = z.enum(['set_up', 'code'])
export type SecondFactorDue = z.infer<typeof SecondFactorDue>

/** Why a sign-in with the right password was refused: `needed` if the code is missing, `wrong` if it is not valid. */
export type SecondFactorRefusal = 'needed' | 'wrong'

const code = text({ keep: false })
const CodeBody = z.object({ code })
const PasswordBody = z.object({ current_password: text({ keep: false }) })
const path = '/me/second-factor'

export const getSecondFactor = defineEndpoint({
  id: 'second_factor.get',
  method: 'GET',
  path,
  result: SecondFactor,
  addition: true,
  summary: "Get the state of the caller's two-factor authentication",
})

export const beginSecondFactor = defineEndpoint({
  id: 'second_factor.begin',
  method: 'POST',
  path,
  body: PasswordBody.partial(),
  status: 201,
  result: NewSecondFactor,
  errors: [403, 409, 429],
  addition: true,
  summary: 'Create a secret for an authenticator app; takes effect once a code confirms it',
})

export const activateSecondFactor = defineEndpoint({
  id: 'second_factor.activate',
  method: 'PUT',
  path,
  body: CodeBody,
  result: RecoveryCodes,
  errors: [403, 409, 429],
  addition: true,
  summary: 'Turn on two-factor authentication; ends all other sessions and bearer tokens',
})

export const renewRecoveryCodes = defineEndpoint({
  id: 'second_factor.renew',
  method: 'POST',
  path: `${path}/recovery-codes`,
  body: CodeBody,
  result: RecoveryCodes,
  errors: [403, 409, 429],
  addition: true,
  summary: 'Replace the recovery codes',
})

export const removeSecondFactor = defineEndpoint({
  id: 'second_factor.remove',
  method: 'POST',
  path: `${path}/remove`,
  body: CodeBody.extend(PasswordBody.shape),
  errors: [403, 409, 429],
  addition: true,
  summary: 'Turn off two-factor authentication',
})

export const removeSecondFactorOf = defineEndpoint({
  id: 'users.remove_second_factor',
  method: 'DELETE',
  path: '/users/:user_id/second-factor',
  errors: [403, 404],
  addition: true,
  summary: 'Turn off two-factor authentication of a user who has lost their device',
})

export const secondFactorEndpoints = [
  getSecondFactor,
  beginSecondFactor,
  activateSecondFactor,
  renewRecoveryCodes,
  removeSecondFactor,
  removeSecondFactorOf,
] as const
