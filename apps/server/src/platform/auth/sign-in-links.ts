import { command } from '#platform/db/operations.ts'
import { now } from '#platform/time.ts'

const MICROS = 1_000_000

/** A link that signs its user in once: only the hash of its token is kept. */
export const createSignInLink = command(
  'auth.create_sign_in_link',
  async (db, { token_hash, user_id, seconds }: { token_hash: string; user_id: string; seconds: number }): Promise<void> => {
    const at = now()
    await db.sql.deleteFrom('sign_in_links').where('expires_at', '<=', at).execute()
    await db.sql
      .insertInto('sign_in_links')
      .values({ token_hash, user_id, expires_at: at + seconds * MICROS })
      .execute()
  },
)

/** Takes a link: its user, or null when there is none, it was used, or it has run out. */
export const takeSignInLink = command(
  'auth.take_sign_in_link',
  async (db, { token_hash }: { token_hash: string }): Promise<{ user_id: string } | null> => {
    const row = await db.sql
      .deleteFrom('sign_in_links')
      .where('token_hash', '=', token_hash)
      .returning(['user_id', 'expires_at'])
      .executeTakeFirst()
    return row !== undefined && row.expires_at > now() ? { user_id: row.user_id } : null
  },
)
