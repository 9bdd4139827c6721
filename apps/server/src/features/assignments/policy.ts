import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

const mayAssign = (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s)

export const assignmentPolicy = {
  /** Assigns, moves and removes assignments, and undoes these changes. */
  change: mayAssign,
  list: mayAssign,
}
