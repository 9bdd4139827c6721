import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const comparisonPolicy = {
  /** Not for annotators, because they would see how others have answered and which models they compare. */
  see: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
}
