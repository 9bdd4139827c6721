import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const agreementPolicy = {
  /** Not allowed for annotators, because they would see how others have answered. */
  see: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
}
