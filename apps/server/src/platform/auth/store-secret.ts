import { command, query } from '#platform/db/operations.ts'
import { type Store, StoreError } from '#platform/db/store.ts'
import type { Secrets } from './secrets.ts'

/** Name of the setting that tells whether a secret is the store's. */
export const SECRET_CHECK = 'secret_check'
const KNOWN_TEXT = 'postil'

/** Whether these secrets made the check that a store holds. */
export const isSecretOf = (secrets: Secrets, check: string): boolean => secrets.decrypt(check) === KNOWN_TEXT

const readCheck = query(
  'auth.read_secret_check',
  async (db): Promise<string | null> =>
    (await db.sql.selectFrom('settings').select('value_text').where('name', '=', SECRET_CHECK).executeTakeFirst())?.value_text ??
    null,
  { single: true },
)

const writeCheck = command('auth.write_secret_check', async (db, { value_text }: { value_text: string }): Promise<void> => {
  await db.sql
    .insertInto('settings')
    .values({ name: SECRET_CHECK, value_text })
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
  else if (!isSecretOf(secrets, known)) {
    throw new StoreError(
      'POSTIL_SECRET (or the file "secret" in the data folder) is not the one that this store was made with. Start with that one, or what the store holds under seal stays unreadable.',
    )
  }
}
