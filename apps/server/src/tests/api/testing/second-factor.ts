import type { NewSecondFactor, RecoveryCodes } from '@postil/contract/people/second-factor.ts'
import type { Client } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { Secret, TOTP } from 'otpauth'
import { type ApiFixture, must, type Who } from './fixture.ts'
import type { Sent } from './send.ts'

/**
 * The code that an authenticator app shows. @param ahead number of thirty-second steps from now. Each code works once. The code
 * one step ahead is already valid.
 */
export const codeOf = ({ secret }: Pick<NewSecondFactor, 'secret'>, ahead = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 30_000 })

export const begun = async (client: Client, { password }: TestUser): Promise<NewSecondFactor> =>
  must(await client.post<NewSecondFactor>('/me/second-factor', { current_password: password }))

/** Turns on two-factor authentication for the user. */
export const activated = async (client: Client, user: TestUser) => {
  const app = await begun(client, user)
  return { app, codes: must(await client.put<RecoveryCodes>('/me/second-factor', { code: codeOf(app) })).recovery_codes }
}

type Steps = (client: Client, user: TestUser) => Promise<object>
/**
 * A request from a new user with the same role as the tested user. The fixture's own users stay unchanged, so that they can sign
 * in afterward.
 */
export const asSomebodyNew =
  (steps: Steps) =>
  async ({ server, users }: ApiFixture, who: Who): Promise<Sent> => {
    const user = await server.createUser({ role: users[who].role })
    return { body: await steps(server.clientFor(user), user), headers: { 'x-argilla-api-key': user.api_key } }
  }
