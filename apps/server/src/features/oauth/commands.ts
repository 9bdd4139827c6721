import { conflict, providerRefused } from '@postil/contract/wire/errors.ts'
import { insertUser, type NewUser } from '#features/users/public.ts'
import { grantWorkspaces } from '#features/workspaces/public.ts'
import type { User } from '#platform/auth/user.ts'
import type { Db } from '#platform/db/db.ts'
import { lockUser } from '#platform/db/locks.ts'
import { command, query } from '#platform/db/operations.ts'
import { newId } from '#platform/ids.ts'
import { type Micros, now } from '#platform/time.ts'

const MICROS = 1_000_000

/** Marks a sign-in's state as used. @returns false if it had already been used */
export const takeState = command(
  'oauth.take_state',
  async (db, { state_hash, seconds }: { state_hash: string; seconds: number }): Promise<boolean> => {
    const at = now()
    await db.sql.deleteFrom('oauth_states').where('expires_at', '<=', at).execute()
    const nameTaken = await db.sql
      .insertInto('oauth_states')
      .values({ state_hash, expires_at: at + seconds * MICROS })
      .onConflict((conflicting) => conflicting.column('state_hash').doNothing())
      .returning('state_hash')
      .executeTakeFirst()
    return nameTaken !== undefined
  },
)

/** A permanent identity at a provider. */
type Subject = { readonly issuer: string; readonly subject: string }

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
  /** The provider's name and title. */
  readonly provider: string
  readonly title: string
  /** The user to create if the identity isn't linked yet; null if it was already linked when last checked. */
  readonly newUser: NewUser | null
  readonly username: string
  readonly role: User['role']
  readonly workspaces: readonly string[]
  /** Whether the role and workspaces are set at every sign-in, not only at the first. */
  readonly sync: boolean
  readonly linkByUsername: boolean
}

type StoredUser = User & { readonly deactivated_at: number | null }

/** Finds a user and locks the user's row until the command ends. */
const findStored = async (db: Db, column: 'id' | 'username', value: string): Promise<StoredUser | null> => {
  const users = db.sql
    .selectFrom('users')
    .select(['id', 'username', 'first_name', 'role', 'deactivated_at'])
    .where(column, '=', value)
  const found = await users.executeTakeFirst()
  if (found === undefined) return null
  await lockUser(db, found.id)
  return (await users.where('id', '=', found.id).executeTakeFirst()) ?? null
}

const nameTaken = ({ title, username }: SignIn) =>
  conflict(
    `A user named \`${username}\` already exists and is not linked to your ${title} account. Sign in with your password, or ask an owner of this server.`,
    { reason: 'name_taken' },
  )

/**
 * Whether another account of the same provider is linked to this user. If so, the username at the provider now belongs to
 * someone else.
 */
const hasOtherIdentity = async (db: Db, issuer: string, user_id: string): Promise<boolean> =>
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

const findLinked = async (db: Db, { issuer, subject }: Subject): Promise<StoredUser | null> => {
  const row = await db.sql
    .selectFrom('oauth_identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row === undefined ? null : findStored(db, 'id', row.user_id)
}

/** Whether the user chose the username in an invitation. Such a name proves nothing, because any free name can be chosen. */
const choseUsername = async (db: Db, user_id: string): Promise<boolean> =>
  (await db.sql.selectFrom('invited_users').select('user_id').where('user_id', '=', user_id).executeTakeFirst()) !== undefined

/**
 * Returns the existing user with the same username; null if there is none. @throws Problem `conflict` if the identity may not be
 * linked to that user
 */
const findByUsername = async (db: Db, signIn: SignIn): Promise<StoredUser | null> => {
  const user = await findStored(db, 'username', signIn.username)
  if (user === null) return null
  const isTheirs =
    signIn.linkByUsername && !(await hasOtherIdentity(db, signIn.issuer, user.id)) && !(await choseUsername(db, user.id))
  // Another process may have linked this user since the first lookup. Two concurrent sign-ins by the same person must both
  // succeed
  if (!isTheirs && (await findLinked(db, signIn)) === null) throw nameTaken(signIn)
  return user
}

/**
 * Links the identity to the user with the same username, or to a new user. Returns null when another process has just linked the
 * identity.
 */
const findOrCreate = async (db: Db, signIn: SignIn): Promise<{ user: StoredUser; made: boolean } | null> => {
  const known = await findByUsername(db, signIn)
  const id = known?.id ?? signIn.newUser?.id ?? newId()
  const { issuer, subject, provider } = signIn
  if ((await link(db, { issuer, subject, provider, user_id: id, made_user: known === null })) === undefined) return null
  if (known !== null) return { user: known, made: false }
  if (signIn.newUser === null) return null
  const made = await insertUser(db, { ...signIn.newUser, id })
  return { user: { ...made, deactivated_at: null }, made: true }
}

/**
 * Finds or creates the user for a provider's identity.
 * @returns null when the user was deleted concurrently; the sign-in can be retried
 * @throws Problem `conflict` for a username that is taken, `provider_refused` for a deactivated user
 */
export const signIn = command('oauth.sign_in', async (db, wanted: SignIn): Promise<User | null> => {
  const before = await findLinked(db, wanted)
  const settled = before === null ? await findOrCreate(db, wanted) : { user: before, made: false }
  const found = settled ?? { user: await findLinked(db, wanted), made: false }
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
 * Links a provider's identity to an existing user, at the user's request.
 * @throws Problem `conflict` when the identity is linked to another user, or when the user is linked to another identity of this
 * provider
 */
export const linkUser = command(
  'oauth.link_user',
  async (db, { user_id, title, ...of }: Subject & { provider: string; title: string; user_id: string }): Promise<void> => {
    const before = await findLinked(db, of)
    if (before?.id === user_id) return
    if (before === null && !(await hasOtherIdentity(db, of.issuer, user_id))) {
      if ((await link(db, { ...of, user_id, made_user: false })) !== undefined) return
    }
    const cause =
      before === null
        ? 'Your user is linked to a different account at this provider'
        : 'Another user is linked to your account at this provider'
    throw conflict(`${cause}: ${title}`, { reason: 'linked_otherwise' })
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

/**
 * Removes the identities that a user has linked. The identity that created the user is kept, because the user needs it to sign
 * in.
 */
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
