import type { Role } from '#platform/db/tables.ts'

export type Actor = { readonly id: string; readonly role: Role }
/** `member`: linked to the workspace of the response's dataset. */
export type Membership = { readonly member: boolean }

const isOwner = (u: Actor) => u.role === 'owner'
const isAdminOf = (u: Actor, s: Membership) => u.role === 'admin' && s.member

export const responsePolicy = {
  create: (u: Actor, s: Membership) => isOwner(u) || s.member,
  /** Authors keep this right after they leave the workspace. */
  change: (u: Actor, s: Membership, author: string) => u.id === author || isOwner(u) || isAdminOf(u, s),
}
