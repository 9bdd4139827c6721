import type { Role } from '#platform/db/tables.ts'

export type Actor = { readonly id: string; readonly role: Role }
/** `member`: linked to the dataset's workspace. */
export type Membership = { readonly member: boolean }

const isOwner = (u: Actor) => u.role === 'owner'
const isAdminOf = (u: Actor, s: Membership) => u.role === 'admin' && s.member

export const datasetPolicy = {
  list: (u: Actor, s: Membership) => isOwner(u) || s.member,
  get: (u: Actor, s: Membership) => isOwner(u) || s.member,
  create: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  update: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  publish: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  delete: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
}
