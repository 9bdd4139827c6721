import type { Db } from '#platform/db/db.ts'
import type { Role } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'

/** A stored user, without the password. */
export type UserRow = {
  readonly id: string
  readonly first_name: string
  readonly last_name: string | null
  readonly username: string
  readonly role: Role
  readonly api_key_sealed: string
  readonly deactivated_at: Micros | null
  readonly is_agent: boolean
  readonly inserted_at: Micros
  readonly updated_at: Micros
}

export const userColumns = [
  'users.id',
  'users.first_name',
  'users.last_name',
  'users.username',
  'users.role',
  'users.api_key_sealed',
  'users.deactivated_at',
  'users.is_agent',
  'users.inserted_at',
  'users.updated_at',
] as const

export const userRow = async (db: Db, id: string): Promise<UserRow | null> =>
  (await db.sql.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst()) ?? null
