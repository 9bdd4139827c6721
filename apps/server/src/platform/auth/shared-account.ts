import { changeMyPassword, deleteAllSessions, deleteMySession } from '@postil/contract/people/auth.ts'
import { createSessionByProvider, deleteMyIdentity } from '@postil/contract/people/oauth.ts'
import {
  activateSecondFactor,
  beginSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '@postil/contract/people/second-factor.ts'
import { changeApiKey } from '@postil/contract/people/users.ts'
import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { User } from './user.ts'

/** Endpoints through which one demo visitor could affect all the others. */
const FORBIDDEN_ENDPOINTS: readonly AnyEndpoint[] = [
  changeMyPassword,
  changeApiKey,
  deleteAllSessions,
  deleteMySession,
  // For a user with a session, this endpoint links the user's account to a provider. Visitors without a session can use it to
  // sign in, because they don't sign in as the demo user.
  createSessionByProvider,
  deleteMyIdentity,
  beginSecondFactor,
  activateSecondFactor,
  renewRecoveryCodes,
  removeSecondFactor,
]
const forbiddenIds: ReadonlySet<string> = new Set(FORBIDDEN_ENDPOINTS.map(({ id }) => id))

/**
 * The user of a browser session. A session doesn't store how it began, so all browser sessions of the demo user count as
 * shared. The operator uses the account's API key or a token, as programs do.
 */
export const inBrowser = ({ demoUser }: Pick<Config, 'demoUser'>, user: User): User => ({
  ...user,
  isInBrowser: true,
  ...(user.username === demoUser && { isShared: true }),
})

/** @throws Problem forbidden if the account is shared */
export const checkNotShared = ({ isShared }: Pick<User, 'isShared'>, endpoint: Pick<AnyEndpoint, 'id'>): void => {
  if (isShared !== true || !forbiddenIds.has(endpoint.id)) return
  throw forbidden('All visitors share this demo account. Its key, password, second factor and sessions cannot be changed here')
}
