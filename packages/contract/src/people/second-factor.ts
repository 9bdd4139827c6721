import { z } from 'zod'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { printedDatetime, text } from '../wire/scalars.ts'

/** Codes that are given out for when the device is lost; each works once. */
export const recoveryCodes = 10

export const SecondFactor = z.strictObject({
  /** Since when signing in by password takes a code; null when it does not. */
  active_since: printedDatetime().nullable(),
  /** Recovery codes that are left. */
  recovery_codes: z.int(),
  /** Whether the server asks the caller to have one: it can not be removed then. */
  required: z.boolean(),
})
export type SecondFactor = z.infer<typeof SecondFactor>

/** What an authenticator app is told, as a text to type and as an address to scan. */
export const NewSecondFactor = z.strictObject({ secret: z.string(), uri: z.string() })
export type NewSecondFactor = z.infer<typeof NewSecondFactor>

export const RecoveryCodes = z.strictObject({ recovery_codes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

/** What whoever has to show a second factor does next: set one up, or show a code of the one that there is. Until then little is open to them. */
export const SecondFactorDue = z.enum(['set_up', 'code'])
export type SecondFactorDue = z.infer<typeof SecondFactorDue>

/** How a refused sign-in says that the password was right: `needed` when no code came with it, `wrong` when it was not one. */
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
  summary: 'Whether signing in by password takes a code too',
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
  summary: 'A new secret for an authenticator app; it counts once a code of it was shown',
})

export const activateSecondFactor = defineEndpoint({
  id: 'second_factor.activate',
  method: 'PUT',
  path,
  body: CodeBody,
  result: RecoveryCodes,
  errors: [403, 409, 429],
  addition: true,
  summary: 'Have signing in by password take a code from now on; ends all other sessions and bearer tokens',
})

export const renewRecoveryCodes = defineEndpoint({
  id: 'second_factor.renew',
  method: 'POST',
  path: `${path}/recovery-codes`,
  body: CodeBody,
  result: RecoveryCodes,
  errors: [403, 409, 429],
  addition: true,
  summary: 'New recovery codes in place of those that there are',
})

export const removeSecondFactor = defineEndpoint({
  id: 'second_factor.remove',
  method: 'POST',
  path: `${path}/remove`,
  body: CodeBody.extend(PasswordBody.shape),
  errors: [403, 409, 429],
  addition: true,
  summary: 'Sign in by password alone again',
})

export const removeSecondFactorOf = defineEndpoint({
  id: 'users.remove_second_factor',
  method: 'DELETE',
  path: '/users/:user_id/second-factor',
  errors: [403, 404],
  addition: true,
  summary: 'Let somebody who has lost their device sign in by password alone',
})

export const secondFactorEndpoints = [
  getSecondFactor,
  beginSecondFactor,
  activateSecondFactor,
  renewRecoveryCodes,
  removeSecondFactor,
  removeSecondFactorOf,
] as const
