import type { Db } from '../db/db.ts'
import type { Role } from '../db/tables.ts'

/** Whoever started a job, as long as they may sign in. */
export const starterOf = async (db: Db, id: string | null): Promise<{ readonly id: string; readonly role: Role } | null> => {
  if (id === null) return null
  const user = await db.sql
    .selectFrom('users')
    .select(['id', 'role'])
    .where('id', '=', id)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  return user ?? null
}
