import type { Role } from '#platform/db/tables.ts'

/** Who calls, as the database says at this request. */
export type User = {
  readonly id: string
  readonly username: string
  readonly first_name: string
  readonly role: Role
}
