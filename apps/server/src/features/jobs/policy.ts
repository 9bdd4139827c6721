import type { Role } from '#platform/db/tables.ts'

export const jobPolicy = {
  list: (u: { readonly role: Role }) => u.role === 'owner',
  /** Who started it, and owners. */
  cancel: (u: { readonly id: string; readonly role: Role }, startedBy: string | null) => u.role === 'owner' || u.id === startedBy,
  /** NOTE: the wire checks no workspace here; a job's id is known to those who were given it. */
  get: (u: { readonly role: Role }) => u.role === 'owner' || u.role === 'admin',
}
