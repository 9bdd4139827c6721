import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

const mayAssign = (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s)

export const assignmentPolicy = {
  /** Assigning records, moving or removing assignments, and undoing these changes. */
  change: mayAssign,
  list: mayAssign,
}
