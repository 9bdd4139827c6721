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

/** What one visitor of the demo would do to all the others. */
const CLOSED: readonly AnyEndpoint[] = [
  changeMyPassword,
  changeApiKey,
  deleteAllSessions,
  deleteMySession,
  // As a link of the account: whoever comes in by a provider is somebody else.
  createSessionByProvider,
  deleteMyIdentity,
  beginSecondFactor,
  activateSecondFactor,
  renewRecoveryCodes,
  removeSecondFactor,
]
const closedIds: ReadonlySet<string> = new Set(CLOSED.map(({ id }) => id))

/**
 * The user at a browser. Whoever is the user of the demo there shares the account with all its visitors: a session does not keep by which
 * way it was begun. The operator has its key, or a token by its password, as programs do.
 */
export const inBrowser = ({ demoUser }: Pick<Config, 'demoUser'>, user: User): User => ({
  ...user,
  isInBrowser: true,
  ...(user.username === demoUser && { isShared: true }),
})

/** @throws Problem forbidden where the account is not the caller's own */
export const checkOwn = ({ isShared }: Pick<User, 'isShared'>, endpoint: Pick<AnyEndpoint, 'id'>): void => {
  if (isShared !== true || !closedIds.has(endpoint.id)) return
  throw forbidden(
    'This is the account of the demo, which all its visitors share: its key, password, second factor and sessions cannot be changed here',
  )
}
