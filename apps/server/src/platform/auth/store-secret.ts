import { command, query } from '#platform/db/operations.ts'
import { type Store, StoreError } from '#platform/db/store.ts'
import type { Secrets } from './secrets.ts'

const NAME = 'secret_check'
const KNOWN_TEXT = 'postil'

const readCheck = query(
  'auth.read_secret_check',
  async (db): Promise<string | null> =>
    (await db.sql.selectFrom('settings').select('value_text').where('name', '=', NAME).executeTakeFirst())?.value_text ?? null,
  { single: true },
)

const writeCheck = command('auth.write_secret_check', async (db, { value_text }: { value_text: string }): Promise<void> => {
  await db.sql
    .insertInto('settings')
    .values({ name: NAME, value_text })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
})

/**
 * Compares the secret with the one that the store was first opened with: with another one the sealed API keys and webhook secrets
 * could never be read again.
 * @throws StoreError
 */
export const checkStoreSecret = async (store: Store, secrets: Secrets): Promise<void> => {
  const known = await store.read(readCheck, null)
  if (known === null) await store.write(writeCheck, { value_text: secrets.encrypt(KNOWN_TEXT) })
  else if (secrets.decrypt(known) !== KNOWN_TEXT) {
    throw new StoreError(
      'POSTIL_SECRET (or the file "secret" in the data folder) is not the one that this store was made with. Start with that one, or what the store holds under seal stays unreadable.',
    )
  }
}
