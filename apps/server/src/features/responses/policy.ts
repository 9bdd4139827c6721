import type { Role } from '#platform/db/tables.ts'

export type Actor = { readonly id: string; readonly role: Role }
/** `member`: linked to the workspace of the response's dataset. */
export type Standing = { readonly member: boolean }

const isOwner = (u: Actor) => u.role === 'owner'
const isAdminOf = (u: Actor, s: Standing) => u.role === 'admin' && s.member

export const responsePolicy = {
  create: (u: Actor, s: Standing) => isOwner(u) || s.member,
  /** One's own also after leaving the workspace. */
  change: (u: Actor, s: Standing, author: string) => u.id === author || isOwner(u) || isAdminOf(u, s),
}
