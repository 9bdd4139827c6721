import type { Actor } from '../auth/actor.ts'
import type { Db } from '../db/db.ts'

/** The user who started a job; null if that user can no longer sign in. */
export const starterOf = async (db: Db, id: string | null): Promise<Actor | null> => {
  if (id === null) return null
  const user = await db.sql
    .selectFrom('users')
    .select(['id', 'role', 'is_agent'])
    .where('id', '=', id)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  return user ?? null
}
