import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const notePolicy = {
  /** Not for annotators, because they would see what others have written. */
  see: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
}
