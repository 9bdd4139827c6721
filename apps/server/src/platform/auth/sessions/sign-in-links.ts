import { command } from '#platform/db/operations.ts'
import { now } from '#platform/time.ts'

const MICROS = 1_000_000

type NewLink = {
  readonly token_hash: string
  readonly user_id: string
  readonly seconds: number
  /** Whether who gets it has shown two factors already. */
  readonly two_factors: boolean
}
type TakenLink = Pick<NewLink, 'user_id' | 'two_factors'>

/** A link that signs its user in once: only the hash of its token is kept. */
export const createSignInLink = command('auth.create_sign_in_link', async (db, { seconds, ...link }: NewLink): Promise<void> => {
  const at = now()
  await db.sql.deleteFrom('sign_in_links').where('expires_at', '<=', at).execute()
  await db.sql
    .insertInto('sign_in_links')
    .values({ ...link, expires_at: at + seconds * MICROS })
    .execute()
})

/** Takes a link: its user, or null when there is none, it was used, or it has run out. */
export const takeSignInLink = command(
  'auth.take_sign_in_link',
  async (db, { token_hash }: { token_hash: string }): Promise<TakenLink | null> => {
    const row = await db.sql
      .deleteFrom('sign_in_links')
      .where('token_hash', '=', token_hash)
      .returning(['user_id', 'expires_at', 'two_factors'])
      .executeTakeFirst()
    return row !== undefined && row.expires_at > now() ? { user_id: row.user_id, two_factors: row.two_factors } : null
  },
)
