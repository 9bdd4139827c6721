import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const datasetPolicy = {
  list: (u: Actor, s: Membership) => isOwner(u) || s.member,
  get: (u: Actor, s: Membership) => isOwner(u) || s.member,
  create: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  update: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  publish: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  delete: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
}
