import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const historyPolicy = {
  get: (u: Actor, s: Membership) => isOwner(u) || s.member,
  /** Sees changes to the record itself and to other users' answers. Other users see only their own answer's changes. */
  seeAll: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
}
