import type { Role } from '#platform/db/tables.ts'

export type Actor = { readonly id: string; readonly role: Role }

export const auditPolicy = { list: (user: Actor): boolean => user.role === 'owner' }
