import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import type { Micros } from '#platform/time.ts'
import type { User } from './user.ts'

/** Users who may sign in. Excludes deactivated users. */
const users = (db: Db) =>
  db.sql.selectFrom('users').select(['id', 'username', 'first_name', 'role', 'is_agent']).where('deactivated_at', 'is', null)

type ByKey = { readonly api_key_hash: string }
const byKey = prepared((db, { api_key_hash }: ByKey) => users(db).where('api_key_hash', '=', api_key_hash))
export const findUserByKey = query(
  'auth.user_by_key',
  async (db, of: ByKey): Promise<User | null> => (await byKey(db, of))[0] ?? null,
  {
    single: true,
  },
)

type ByToken = { readonly id: string; readonly issued_at: Micros }
const byToken = prepared((db, { id, issued_at }: ByToken) =>
  users(db)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('tokens_valid_from', 'is', null), eb('tokens_valid_from', '<=', issued_at)])),
)

/** Returns a bearer token's user unless the token has been revoked. */
export const findUserByToken = query(
  'auth.user_by_token',
  async (db, of: ByToken): Promise<User | null> => (await byToken(db, of))[0] ?? null,
  { single: true },
)

export const findUserById = query(
  'auth.user_by_id',
  async (db, { id }: { id: string }): Promise<User | null> => (await users(db).where('id', '=', id).executeTakeFirst()) ?? null,
  { single: true },
)

/**
 * Returns a user with the password hash, for signing in. Keyboards produce an accented letter as one character or as two, so both
 * forms of a username are accepted. A user with the typed form takes precedence.
 */
export const findUserToSignIn = query(
  'auth.user_to_sign_in',
  async (db, { username }: { username: string }): Promise<(User & { password_hash: string }) | null> =>
    (
      await users(db)
        .select('password_hash')
        .where('username', 'in', [username, username.normalize('NFC'), username.normalize('NFD')])
        .orderBy((eb) => eb.case().when('username', '=', username).then(0).else(1).end())
        .limit(1)
        .execute()
    )[0] ?? null,
  { single: true },
)
