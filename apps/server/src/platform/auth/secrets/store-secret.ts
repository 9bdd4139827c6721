import { command, query } from '#platform/db/operations.ts'
import { type Store, StoreError } from '#platform/db/store.ts'
import { adoptNextSecret, readNextSecret } from './master-secret.ts'
import { createSecrets, type Secrets } from './secrets.ts'

/** Name of the setting that contains the check value for the store's secret. */
export const SECRET_CHECK = 'secret_check'
const KNOWN_TEXT = 'postil'

/** Whether these secrets created the store's check value. */
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

/** Creates the check value that a store keeps to verify its secret. */
export const checkOf = (secrets: Secrets): string => secrets.encrypt(KNOWN_TEXT)

/** Where a secret comes from: the given value, or the data folder if none is given. */
type SecretPlace = { readonly secret: string | undefined; readonly dataDir: string }

/**
 * Verifies the secret against the store's check value. A different secret could never decrypt the sealed API keys and webhook
 * secrets. Completes a secret change that was interrupted when only the store had received the new secret.
 * @param master from `masterSecret`
 * @throws StoreError
 */
export const secretsOfStore = async (store: Store, master: string, { secret, dataDir }: SecretPlace): Promise<Secrets> => {
  const secrets = createSecrets(master)
  const known = await store.read(readCheck, null)
  if (known === null) {
    await store.write(writeCheck, { value_text: checkOf(secrets) })
    return secrets
  }
  if (isSecretOf(secrets, known)) return secrets
  const next = secret === undefined ? await readNextSecret(dataDir) : null
  const changed = next === null ? null : createSecrets(next)
  if (changed !== null && isSecretOf(changed, known)) {
    await adoptNextSecret(dataDir)
    return changed
  }
  throw new StoreError(
    'POSTIL_SECRET (or the file "secret" in the data folder) is not the secret that this database was created with. Start the server with the original secret; otherwise, encrypted data cannot be read.',
  )
}
