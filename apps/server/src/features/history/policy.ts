import type { Role } from '#platform/db/tables.ts'

export type Actor = { readonly id: string; readonly role: Role }
/** `member`: linked to the workspace of the record's dataset. */
export type Membership = { readonly member: boolean }

const isOwner = (u: Actor) => u.role === 'owner'
const isAdminOf = (u: Actor, s: Membership) => u.role === 'admin' && s.member

export const historyPolicy = {
  get: (u: Actor, s: Membership) => isOwner(u) || s.member,
  /** Changes to the record itself and to others' answers. Otherwise only the caller's own answer. */
  seeAll: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
}
