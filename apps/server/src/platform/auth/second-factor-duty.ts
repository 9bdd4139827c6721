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

/** All that is open to whoever has to show a second factor and has not. Everything else is closed, also what is added later. */
const OPEN: readonly AnyEndpoint[] = [
  getMe,
  getSession,
  deleteSession,
  getSecondFactor,
  beginSecondFactor,
  activateSecondFactor,
  showSecondFactor,
]
export const openWhileDue: ReadonlySet<string> = new Set(OPEN.map(({ id }) => id))

/** So long after signing in somebody can set a factor up or show a code; then they sign in again. */
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

/** Whether the server asks somebody to have a second factor. */
export const isRequired = ({ secondFactor }: Pick<Config, 'secondFactor'>, { role }: Pick<User, 'role'>): boolean =>
  secondFactor === 'everyone' || (secondFactor === 'owners-and-admins' && role !== 'annotator')

/** The user with what is due of them now: it follows from the setting, the role and what was shown, and is kept nowhere. */
export const withDue = async (ctx: AppContext, user: User): Promise<User> => {
  if (user.hasShownTwo === true || !isRequired(ctx.config, user)) return user
  const due = (await ctx.store.read(hasFactor, { user_id: user.id })) ? 'code' : 'set_up'
  return { ...user, due }
}

/** The same for who came in at a time; null when that is too long ago to be believed without a second factor. */
export const withDueSince = async (ctx: AppContext, user: User, since: Micros): Promise<User | null> => {
  const judged = await withDue(ctx, user)
  return judged.due !== undefined && since < now() - DUE_MICROS ? null : judged
}

/** The user once a second factor was shown. */
export const havingShown = ({ due: _, ...user }: User): User => ({ ...user, hasShownTwo: true })

const sentences: { readonly [D in SecondFactorDue]: string } = {
  set_up: 'This server asks you for a second factor: sign in to the page and set one up, which comes before everything else',
  code: 'This server asks you for a second factor: show a code of yours, which comes before everything else',
}

/** @throws Problem second_factor_due where a second factor comes first */
export const checkOpen = ({ due }: User, endpoint: Pick<AnyEndpoint, 'id'>): void => {
  if (due !== undefined && !openWhileDue.has(endpoint.id)) throw secondFactorDue(sentences[due])
}
