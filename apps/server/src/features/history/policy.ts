import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const historyPolicy = {
  get: (u: Actor, s: Membership) => isOwner(u) || s.member,
  /** May see changes to the record itself and to other users' answers. Other users see only changes to their own answer. */
  seeAll: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
}
