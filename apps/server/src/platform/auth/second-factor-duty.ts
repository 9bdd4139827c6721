import { deleteSession, getSession, showSecondFactor } from '@postil/contract/people/auth.ts'
import {
  activateSecondFactor,
  beginSecondFactor,
  getSecondFactor,
  type SecondFactorDue,
} from '@postil/contract/people/second-factor.ts'
import { getMe } from '@postil/contract/people/users.ts'
import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import { secondFactorDue } from '@postil/contract/wire/errors.ts'
import type { AppContext } from '#context.ts'
import type { Config } from '#platform/config/read-config.ts'
import { query } from '#platform/db/operations.ts'
import { type Micros, now } from '#platform/time.ts'
import type { User } from './user.ts'

/** The endpoints that stay open while a second factor is due. All other endpoints are closed, including those added later. */
const ALLOWED_IDS: readonly AnyEndpoint[] = [
  getMe,
  getSession,
  deleteSession,
  getSecondFactor,
  beginSecondFactor,
  activateSecondFactor,
  showSecondFactor,
]
export const allowedWhileDue: ReadonlySet<string> = new Set(ALLOWED_IDS.map(({ id }) => id))

/** How long a user can set up a second factor or enter a code after signing in. After that, they must sign in again. */
const DUE_MICROS = 30 * 60 * 1_000_000

const hasFactor = query(
  'auth.has_second_factor',
  async (db, { user_id }: { user_id: string }): Promise<boolean> => {
    const row = await db.sql
      .selectFrom('second_factors')
      .select('user_id')
      .where('user_id', '=', user_id)
      .where('active_since', 'is not', null)
      .executeTakeFirst()
    return row !== undefined
  },
  { single: true },
)

/** Whether the server requires a second factor from this user. */
export const isRequired = ({ secondFactor }: Pick<Config, 'secondFactor'>, { role }: Pick<User, 'role'>): boolean =>
  secondFactor === 'everyone' || (secondFactor === 'owners-and-admins' && role !== 'annotator')

/**
 * Adds the second-factor step that the user must complete now. The step is not stored. It is derived from the server's setting,
 * the user's role, and the factors that the user has set up and verified.
 */
export const withDue = async (ctx: AppContext, user: User): Promise<User> => {
  if (user.hasShownTwo === true || !isRequired(ctx.config, user)) return user
  const due = (await ctx.store.read(hasFactor, { user_id: user.id })) ? 'code' : 'set_up'
  return { ...user, due }
}

/**
 * Like `withDue`, for a user who signed in at `since`. Returns null if a second factor is due and the sign-in was too long ago.
 */
export const withDueSince = async (ctx: AppContext, user: User, since: Micros): Promise<User | null> => {
  const withDuty = await withDue(ctx, user)
  return withDuty.due !== undefined && since < now() - DUE_MICROS ? null : withDuty
}

/** The user after a second factor was verified. */
export const withShownFactor = ({ due: _, ...user }: User): User => ({ ...user, hasShownTwo: true })

const dueMessages: { readonly [D in SecondFactorDue]: string } = {
  set_up: 'This server requires a second factor. Sign in to the web app and set one up first',
  code: 'This server requires a second factor. Enter a code first',
}

/** @throws Problem second_factor_due if the user must set up or enter a second factor before using the endpoint */
export const checkOpen = ({ due }: User, endpoint: Pick<AnyEndpoint, 'id'>): void => {
  if (due !== undefined && !allowedWhileDue.has(endpoint.id)) throw secondFactorDue(dueMessages[due])
}
