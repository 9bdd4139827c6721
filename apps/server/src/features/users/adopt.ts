import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import type { Role } from '#platform/db/tables.ts'
import type { OriginalRow } from '#platform/original-row.ts'
import type { Micros } from '#platform/time.ts'
import { refuseReservedId } from './commands.ts'

/** A stored API key. */
type StoredKey = { readonly api_key_hash: string; readonly api_key_sealed: string }
type AdoptedUser = OriginalRow & {
  readonly first_name: string
  readonly last_name: string | null
  readonly username: string
  readonly role: Role
  readonly is_agent: boolean
  readonly password_hash: string
  readonly deactivated_at: Micros | null
}

const hasKey = async (db: Db, { api_key_hash }: StoredKey): Promise<boolean> =>
  (await db.sql.selectFrom('users').select('id').where('api_key_hash', '=', api_key_hash).executeTakeFirst()) !== undefined

/**
 * Adds a user from another server with their ID and times, unless a user with this ID or username already exists.
 * @param key the API key from the other server; null if unknown. If it is unknown or already taken here, `fallbackKey` is used
 * @throws Problem `conflict` if a deleted user had this ID and their answers are still being removed
 * @returns the user's ID here, whether the user was created now, and whether the user has the other server's key
 */
export const adoptUser = command(
  'users.adopt',
  async (
    db,
    { user, key, fallbackKey }: { readonly user: AdoptedUser; readonly key: StoredKey | null; readonly fallbackKey: StoredKey },
  ): Promise<{ readonly id: string; readonly made: boolean; readonly usesKey: boolean }> => {
    const rows = await db.sql
      .selectFrom('users')
      .select(['id', 'username'])
      .where((eb) => eb.or([eb('id', '=', user.id), eb('username', '=', user.username)]))
      .execute()
    const existing = rows.find(({ id }) => id === user.id) ?? rows[0]
    if (existing !== undefined) return { id: existing.id, made: false, usesKey: false }
    await refuseReservedId(db, user.id)
    const usesKey = key !== null && !(await hasKey(db, key))
    await db.sql
      .insertInto('users')
      .values({ ...user, ...(usesKey ? key : fallbackKey) })
      .execute()
    return { id: user.id, made: true, usesKey }
  },
)
