import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const notePolicy = {
  /** Annotators don't have this right, because notes show what other people have written. */
  see: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
}
