import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const comparisonPolicy = {
  /** Not allowed for annotators, because they would see other people's answers and the names of the compared models. */
  see: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
}
