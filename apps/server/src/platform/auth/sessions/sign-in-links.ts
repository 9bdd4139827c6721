import { command } from '#platform/db/operations.ts'
import { now } from '#platform/time.ts'

const MICROS = 1_000_000

type NewLink = {
  readonly token_hash: string
  readonly user_id: string
  readonly seconds: number
  /** Whether the recipient has already shown two factors. */
  readonly two_factors: boolean
}
type TakenLink = Pick<NewLink, 'user_id' | 'two_factors'>

/** Creates a link that signs its user in once. Only the hash of its token is stored. */
export const createSignInLink = command('auth.create_sign_in_link', async (db, { seconds, ...link }: NewLink): Promise<void> => {
  const at = now()
  await db.sql.deleteFrom('sign_in_links').where('expires_at', '<=', at).execute()
  await db.sql
    .insertInto('sign_in_links')
    .values({ ...link, expires_at: at + seconds * MICROS })
    .execute()
})

/** Redeems a link. Returns its user, or null if the link is unknown, used or expired. */
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
