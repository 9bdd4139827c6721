import type { Role } from '#platform/db/tables.ts'

export type Actor = { readonly id: string; readonly role: Role }
/** `member`: linked to the workspace of the record's dataset. */
export type Membership = { readonly member: boolean }

const isOwner = (u: Actor) => u.role === 'owner'
const isAdminOf = (u: Actor, s: Membership) => u.role === 'admin' && s.member

export const recordPolicy = {
  list: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  create: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  get: (u: Actor, s: Membership) => isOwner(u) || s.member,
  update: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  delete: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  /**
   * Other users' answers and hidden metadata. Annotators see only their own answers and the metadata that is visible to
   * annotators.
   */
  seeAll: (u: Actor) => u.role !== 'annotator',
}
