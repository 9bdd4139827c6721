import { conflict, providerRefused } from '@postil/contract/wire/errors.ts'
import { insertUser, type NewUser } from '#features/users/service.ts'
import { grantWorkspaces } from '#features/workspaces/service.ts'
import type { User } from '#platform/auth/user.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import { newId } from '#platform/ids.ts'
import { type Micros, now } from '#platform/time.ts'

const MICROS = 1_000_000

/** Uses up a way back from a provider. @returns false when it was used before */
export const takeState = command(
  'oauth.take_state',
  async (db, { state_hash, seconds }: { state_hash: string; seconds: number }): Promise<boolean> => {
    const at = now()
    await db.sql.deleteFrom('oauth_states').where('expires_at', '<=', at).execute()
    const taken = await db.sql
      .insertInto('oauth_states')
      .values({ state_hash, expires_at: at + seconds * MICROS })
      .onConflict((conflicting) => conflicting.column('state_hash').doNothing())
      .returning('state_hash')
      .executeTakeFirst()
    return taken !== undefined
  },
)

/** Somebody at a provider, for ever. */
export type Subject = { readonly issuer: string; readonly subject: string }

export const isKnown = query(
  'oauth.is_known',
  async (db, { issuer, subject }: Subject): Promise<boolean> =>
    (await db.sql
      .selectFrom('oauth_identities')
      .select('user_id')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst()) !== undefined,
  { single: true },
)

export type SignIn = Subject & {
  /** Name and title of the provider. */
  readonly provider: string
  readonly title: string
  /** Who they become if nobody here is them yet; null when somebody was a moment ago. */
  readonly fresh: NewUser | null
  readonly username: string
  readonly role: User['role']
  readonly workspaces: readonly string[]
  /** Whether role and workspaces are set at each sign-in, not only at the first. */
  readonly sync: boolean
  /** Whether the user here who has the name is them. */
  readonly linkByUsername: boolean
}

type Standing = User & { readonly deactivated_at: number | null }

const standing = async (db: Db, column: 'id' | 'username', value: string): Promise<Standing | null> =>
  (await db.dialect
    .forUpdate(
      db.sql.selectFrom('users').select(['id', 'username', 'first_name', 'role', 'deactivated_at']).where(column, '=', value),
    )
    .executeTakeFirst()) ?? null

const taken = ({ title, username }: SignIn) =>
  conflict(
    `There is a user \`${username}\` already who is not known to be yours at ${title}. Sign in with the password, or ask an owner of this server.`,
    { reason: 'name_taken' },
  )

/** Whether another account of the same provider has been this user: then the name has changed hands there. */
const isSomebodyElse = async (db: Db, issuer: string, user_id: string): Promise<boolean> =>
  (await db.sql
    .selectFrom('oauth_identities')
    .select('subject')
    .where('issuer', '=', issuer)
    .where('user_id', '=', user_id)
    .executeTakeFirst()) !== undefined

type Link = Subject & { readonly provider: string; readonly user_id: string; readonly made_user: boolean }

const link = (db: Db, { issuer, subject, provider, user_id, made_user }: Link) =>
  db.sql
    .insertInto('oauth_identities')
    .values({ issuer, subject, user_id, provider, made_user, inserted_at: now() })
    .onConflict((conflicting) => conflicting.columns(['issuer', 'subject']).doNothing())
    .returning('user_id')
    .executeTakeFirst()

const linked = async (db: Db, { issuer, subject }: Subject): Promise<Standing | null> => {
  const row = await db.sql
    .selectFrom('oauth_identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row === undefined ? null : standing(db, 'id', row.user_id)
}

/** The user whose name they have, where they may be that user. @throws Problem `conflict` where they may not */
const byName = async (db: Db, signIn: SignIn): Promise<Standing | null> => {
  const user = await standing(db, 'username', signIn.username)
  if (user === null) return null
  const isTheirs = signIn.linkByUsername && !(await isSomebodyElse(db, signIn.issuer, user.id))
  // NOTE: another process may have made them this user since the first look: whoever signs in twice at once is no stranger
  if (!isTheirs && (await linked(db, signIn)) === null) throw taken(signIn)
  return user
}

/** Makes them a user here, or the one who has their name. Null when another process has just done it. */
const settle = async (db: Db, signIn: SignIn): Promise<{ user: Standing; made: boolean } | null> => {
  const known = await byName(db, signIn)
  const id = known?.id ?? signIn.fresh?.id ?? newId()
  const { issuer, subject, provider } = signIn
  if ((await link(db, { issuer, subject, provider, user_id: id, made_user: known === null })) === undefined) return null
  if (known !== null) return { user: known, made: false }
  if (signIn.fresh === null) return null
  const made = await insertUser(db, { ...signIn.fresh, id })
  return { user: { ...made, deactivated_at: null }, made: true }
}

/**
 * Finds the user whom a provider vouches for, or makes one.
 * @returns null when their user was deleted this very moment: they may try again
 * @throws Problem `conflict` for a name that somebody here has, `provider_refused` for a deactivated user
 */
export const signIn = command('oauth.sign_in', async (db, wanted: SignIn): Promise<User | null> => {
  const before = await linked(db, wanted)
  const settled = before === null ? await settle(db, wanted) : { user: before, made: false }
  const found = settled ?? { user: await linked(db, wanted), made: false }
  if (found.user === null) return null
  const { deactivated_at, id, username, first_name, role } = found.user
  if (deactivated_at !== null) {
    throw providerRefused(`The user \`${username}\` is deactivated`, { reason: 'deactivated' })
  }
  if (found.made || wanted.sync) await grantWorkspaces(db, id, wanted.workspaces, !found.made)
  if (found.made || !wanted.sync || role === wanted.role) return { id, username, first_name, role }
  await db.sql.updateTable('users').set({ role: wanted.role, updated_at: now() }).where('id', '=', id).execute()
  return { id, username, first_name, role: wanted.role }
})

/**
 * Makes somebody at a provider the same as a user here, who has asked for it.
 * @throws Problem `conflict` when they are another user here, or the user somebody else there
 */
export const linkUser = command(
  'oauth.link_user',
  async (db, { user_id, title, ...of }: Subject & { provider: string; title: string; user_id: string }): Promise<void> => {
    const before = await linked(db, of)
    if (before?.id === user_id) return
    if (before === null && !(await isSomebodyElse(db, of.issuer, user_id))) {
      if ((await link(db, { ...of, user_id, made_user: false })) !== undefined) return
    }
    const why = before === null ? 'Your user is linked to another account there' : 'Another user is linked to your account there'
    throw conflict(`${why}: ${title}`, { reason: 'linked_otherwise' })
  },
)

export type Identity = { readonly provider: string; readonly made_user: boolean; readonly inserted_at: Micros }

export const listIdentities = query(
  'oauth.identities',
  (db, { user_id }: { user_id: string }): Promise<Identity[]> =>
    db.sql
      .selectFrom('oauth_identities')
      .select(['provider', 'made_user', 'inserted_at'])
      .where('user_id', '=', user_id)
      .orderBy('inserted_at')
      .execute(),
  { single: true },
)

/** Ends what a user has linked. What made the user stays: it is their way in. */
export const unlinkUser = command(
  'oauth.unlink_user',
  async (db, { user_id, provider }: { user_id: string; provider: string }): Promise<void> => {
    await db.sql
      .deleteFrom('oauth_identities')
      .where('user_id', '=', user_id)
      .where('provider', '=', provider)
      .where('made_user', '=', false)
      .execute()
  },
)
