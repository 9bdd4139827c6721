import type { Role } from '#platform/db/tables.ts'

export const jobPolicy = {
  /** NOTE: the wire checks no workspace here; a job's id is known to those who were given it. */
  get: (u: { readonly role: Role }) => u.role === 'owner' || u.role === 'admin',
}
