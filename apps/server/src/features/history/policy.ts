import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const historyPolicy = {
  get: (u: Actor, s: Membership) => isOwner(u) || s.member,
  /** Changes to the record itself and to others' answers. Otherwise only the caller's own answer. */
  seeAll: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
}
