import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import type { Role } from '#platform/db/tables.ts'
import type { Kept } from '#platform/kept.ts'
import type { Micros } from '#platform/time.ts'
import { refuseLeavingId } from './commands.ts'

/** An API key as it is stored. */
export type StoredKey = { readonly api_key_hash: string; readonly api_key_sealed: string }
export type AdoptedUser = Kept & {
  readonly first_name: string
  readonly last_name: string | null
  readonly username: string
  readonly role: Role
  readonly password_hash: string
  readonly deactivated_at: Micros | null
}

const hasKey = async (db: Db, { api_key_hash }: StoredKey): Promise<boolean> =>
  (await db.sql.selectFrom('users').select('id').where('api_key_hash', '=', api_key_hash).executeTakeFirst()) !== undefined

/**
 * Adds a user of another server with id and times, unless somebody has the id or, failing that, the username.
 * @param key the one from there, null when it is not known; `spare` is taken when it is not, or somebody here has it
 * @throws Problem `conflict` while the answers of somebody who had the id are being removed
 * @returns the id that the user has here, whether it was made now, and whether it has the key from there
 */
export const adoptUser = command(
  'users.adopt',
  async (
    db,
    { user, key, spare }: { readonly user: AdoptedUser; readonly key: StoredKey | null; readonly spare: StoredKey },
  ): Promise<{ readonly id: string; readonly made: boolean; readonly keptKey: boolean }> => {
    const rows = await db.sql
      .selectFrom('users')
      .select(['id', 'username'])
      .where((eb) => eb.or([eb('id', '=', user.id), eb('username', '=', user.username)]))
      .execute()
    const standing = rows.find(({ id }) => id === user.id) ?? rows[0]
    if (standing !== undefined) return { id: standing.id, made: false, keptKey: false }
    await refuseLeavingId(db, user.id)
    const keptKey = key !== null && !(await hasKey(db, key))
    await db.sql
      .insertInto('users')
      .values({ ...user, ...(keptKey ? key : spare) })
      .execute()
    return { id: user.id, made: true, keptKey }
  },
)
