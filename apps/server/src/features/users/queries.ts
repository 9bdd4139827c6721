import { query } from '#platform/db/operations.ts'
import { type UserRow, userColumns, userRow } from './rows.ts'

export const listUserRows = query(
  'users.list',
  (db): Promise<UserRow[]> => db.sql.selectFrom('users').select(userColumns).orderBy('inserted_at').orderBy('id').execute(),
  { single: true },
)

export const getUser = query('users.get', (db, { id }: { id: string }): Promise<UserRow | null> => userRow(db, id), {
  single: true,
})

export const hasUsers = query(
  'users.any',
  async (db): Promise<boolean> => (await db.sql.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined,
  { single: true },
)
