import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import { type Store, StoreError } from '#platform/db/store.ts'
import type { Secrets } from './secrets.ts'
import { checkOf, isSecretOf, SECRET_CHECK } from './store-secret.ts'

/** All columns with sealed values, and the keys of their tables. */
export const SEALED = [
  { table: 'users', key: 'id', column: 'api_key_sealed' },
  { table: 'webhooks', key: 'id', column: 'secret_sealed' },
  { table: 'model_connections', key: 'id', column: 'key_sealed' },
  { table: 'second_factors', key: 'user_id', column: 'secret_sealed' },
  { table: 'jobs', key: 'id', column: 'sealed' },
] as const

type Place = (typeof SEALED)[number]
type Sealed = { readonly place: Place; readonly key: string; readonly text: string }

const rowsOf = async (db: Db, place: Place): Promise<Sealed[]> => {
  const { rows } = await sql<{ key: string; text: string }>`
    select ${sql.ref(place.key)} as key, ${sql.ref(place.column)} as text from ${sql.table(place.table)}
    where ${sql.ref(place.column)} is not null`.execute(db.sql)
  return rows.map((row) => ({ place, ...row }))
}

const readSealed = query('auth.read_sealed', async (db): Promise<readonly Sealed[]> => {
  const sealed: Sealed[] = []
  for (const place of SEALED) sealed.push(...(await rowsOf(db, place)))
  return sealed
})

type Resealed = Sealed & { readonly next: string }
type Change = { readonly check: string; readonly texts: readonly Resealed[] }

const isIn = async (db: Db, { place, key, text, next }: Resealed): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update ${sql.table(place.table)} set ${sql.ref(place.column)} = ${next}
    where ${sql.ref(place.key)} = ${key} and ${sql.ref(place.column)} = ${text}`.execute(db.sql)
  return numAffectedRows === 1n
}

const changeSecret = command('auth.change_secret', async (db, { check, texts }: Change): Promise<void> => {
  for (const each of texts) {
    if (await isIn(db, each)) continue
    throw new StoreError(
      'New data was encrypted while the secret was being changed. Stop all servers that use this database and try again. Nothing was changed.',
    )
  }
  await db.sql.updateTable('settings').set({ value_text: check }).where('name', '=', SECRET_CHECK).execute()
})

/** The number of values sealed with the new secret, and the number that were already unreadable and were left unchanged. */
type SecretChange = { readonly sealed: number; readonly unreadable: number }

/**
 * Reseals all sealed values of a store with another secret, in one transaction. No server may be using the store. @throws
 * StoreError
 */
export const resealAll = async (store: Store, before: Secrets, after: Secrets): Promise<SecretChange> => {
  const found = await store.read(readSealed, null)
  const texts = found.flatMap((each): Resealed[] => {
    const open = before.decrypt(each.text)
    return open === null ? [] : [{ ...each, next: after.encrypt(open) }]
  })
  await store.write(changeSecret, { check: checkOf(after), texts })
  return { sealed: texts.length, unreadable: found.length - texts.length }
}

/** Whether two secrets are equal. */
export const areSame = (one: Secrets, other: Secrets): boolean => isSecretOf(one, checkOf(other))
