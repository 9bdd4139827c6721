import { conflict, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { hasAnswered, isBeingRemoved, removeResponsesOfUser } from '#features/responses/public.ts'
import { usedViewOf } from '#features/saved-views/public.ts'
import { signOutEverywhere } from '#platform/auth/sessions/sessions.ts'
import type { Db } from '#platform/db/db.ts'
import { lockUser } from '#platform/db/locks.ts'
import { command } from '#platform/db/operations.ts'
import type { Role } from '#platform/db/tables.ts'
import { newId } from '#platform/ids.ts'
import { type Micros, now } from '#platform/time.ts'
import { type UserRow, userColumns, userRow } from './rows.ts'

export type NewUser = {
  readonly id: string | null
  readonly first_name: string
  readonly last_name: string | null
  readonly username: string
  readonly role: Role
  readonly is_agent: boolean
  readonly password_hash: string
  readonly api_key_hash: string
  readonly api_key_sealed: string
}

const idOfName = (db: Db, username: string) =>
  db.sql.selectFrom('users').select('id').where('username', '=', username).executeTakeFirst()

/** Must be called inside a command. */
export const insertUser = async (db: Db, user: NewUser): Promise<UserRow> => {
  const at = now()
  const row = { ...user, id: user.id ?? newId(), deactivated_at: null, inserted_at: at, updated_at: at }
  await db.sql.insertInto('users').values(row).execute()
  const { password_hash: _, api_key_hash: __, ...made } = row
  return made
}

/** Rejects the ID of a deleted user until all of the user's data has been removed. @throws Problem `conflict` */
export const refuseReservedId = async (db: Db, id: string): Promise<void> => {
  if (await isBeingRemoved(db, id))
    throw conflict(`User with id \`${id}\` was deleted, and their data is still being removed. Try again later`)
}

/** @throws Problem `conflict` for a name, ID or API key that is taken */
export const createUser = command('users.create', async (db, user: NewUser): Promise<UserRow> => {
  if (await idOfName(db, user.username)) throw conflict(message('userExists', { username: user.username }))
  if (user.id !== null && (await userRow(db, user.id))) throw conflict(`User with id \`${user.id}\` already exists`)
  if (user.id !== null) await refuseReservedId(db, user.id)
  const sameKey = await db.sql.selectFrom('users').select('id').where('api_key_hash', '=', user.api_key_hash).executeTakeFirst()
  if (sameKey) throw conflict('Another user already has this API key')
  return insertUser(db, user)
})

type UserChange = {
  readonly first_name?: string
  readonly last_name?: string | null
  readonly username?: string
  readonly role?: Role
  readonly password_hash?: string
  readonly active?: boolean
  readonly is_agent?: boolean
}

type ChangeOfUser = { readonly id: string; readonly change: UserChange; readonly at: Micros }

/**
 * Changes only the values that differ from the stored ones. A new password or a deactivation signs the user out everywhere and
 * revokes the user's reset link. Must be called inside a command. `at` is the time of the change, from the clock that bearer
 * tokens use.
 */
export const changeUser = async (db: Db, { id, change, at }: ChangeOfUser): Promise<UserRow> => {
  await lockUser(db, id)
  const user = await db.sql.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  if (user === undefined) throw notFound('User', id)
  const { active, ...values } = change
  const { username, password_hash } = values
  const isActive = user.deactivated_at === null
  const deactivated_at = active === undefined || active === isActive ? user.deactivated_at : active ? null : at
  if (username !== undefined && username !== user.username && (await idOfName(db, username))) {
    throw unprocessable(message('userExists', { username }))
  }
  // Commands that store answers lock the author, so no answers can be added until this command ends.
  if (values.is_agent === true && !user.is_agent && (await hasAnswered(db, id)))
    throw unprocessable(message('agentHasAnswers', { username: user.username }))
  const newValues = { ...values, deactivated_at }
  const entries = Object.entries(newValues).filter(([key, value]) => value !== user[key as keyof typeof newValues])
  if (entries.length > 0) {
    await db.sql
      .updateTable('users')
      .set({ ...Object.fromEntries(entries), updated_at: now() })
      .where('id', '=', id)
      .execute()
  }
  if (password_hash !== undefined || (isActive && deactivated_at !== null)) {
    await signOutEverywhere(db, id, at)
    await db.sql.deleteFrom('password_links').where('user_id', '=', id).execute()
  }
  const changed = await userRow(db, id)
  if (changed === null) throw notFound('User', id)
  return changed
}

export const updateUser = command('users.update', (db, change: ChangeOfUser): Promise<UserRow> => changeUser(db, change))

/**
 * Removes a user and the user's memberships, sessions and answers, and updates the statuses of the answered records.
 * @returns the user before the deletion
 * @throws Problem not_found, conflict if test items are selected by one of the user's saved views
 */
export const deleteUser = command('users.delete', async (db, { id }: { id: string }): Promise<UserRow> => {
  await lockUser(db, id)
  const user = await db.sql.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst()
  if (user === undefined) throw notFound('User', id)
  const view = await usedViewOf(db, id)
  if (view !== undefined) throw conflict(message('viewOfUserInUse', { ...view, username: user.username }))
  await db.sql.deleteFrom('mentions').where('user_id', '=', id).execute()
  await db.sql.deleteFrom('users').where('id', '=', id).execute()
  for (const table of [
    'memberships',
    'sessions',
    'sign_in_links',
    'password_links',
    'invited_users',
    'user_activity',
    'second_factors',
    'oauth_identities',
    'saved_views',
  ] as const) {
    await db.sql.deleteFrom(table).where('user_id', '=', id).execute()
  }
  await db.sql.deleteFrom('invitations').where('invited_by', '=', id).execute()
  await removeResponsesOfUser(db, id)
  return user
})

/** Gives a user a new API key. The old key stops working. */
export const changeApiKey = command(
  'users.change_api_key',
  async (db, { id, ...key }: { id: string; api_key_hash: string; api_key_sealed: string }): Promise<UserRow> => {
    await db.sql
      .updateTable('users')
      .set({ ...key, updated_at: now() })
      .where('id', '=', id)
      .execute()
    const changed = await userRow(db, id)
    if (changed === null) throw notFound('User', id)
    return changed
  },
)

/** Stores a new hash of the same password, made with the current parameters. API responses don't change. */
export const renewPasswordHash = command(
  'users.renew_password_hash',
  async (db, { id, was, password_hash }: { id: string; was: string; password_hash: string }): Promise<void> => {
    await db.sql.updateTable('users').set({ password_hash }).where('id', '=', id).where('password_hash', '=', was).execute()
  },
)
