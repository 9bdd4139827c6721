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
  // With a session, this endpoint links the session's user to a provider. Without a session, it signs the visitor in. This is
  // allowed, because the visitor doesn't become the demo user.
  createSessionByProvider,
  deleteMyIdentity,
  beginSecondFactor,
  activateSecondFactor,
  renewRecoveryCodes,
  removeSecondFactor,
]
const forbiddenIds: ReadonlySet<string> = new Set(FORBIDDEN_ENDPOINTS.map(({ id }) => id))

/**
 * Returns the user of a browser session. All browser sessions of the demo user count as shared, because a session doesn't store
 * how it began. API keys and tokens don't count as shared, so the operator can use them to manage the account.
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
