import type { Role } from '#platform/db/tables.ts'

export const jobPolicy = {
  list: (u: { readonly role: Role }) => u.role === 'owner',
  /** The user who started it, and owners. */
  cancel: (u: { readonly id: string; readonly role: Role }, startedBy: string | null) => u.role === 'owner' || u.id === startedBy,
  /** The wire doesn't check workspaces here. A job's ID is known only to those who received it. */
  get: (u: { readonly role: Role }) => u.role === 'owner' || u.role === 'admin',
}
