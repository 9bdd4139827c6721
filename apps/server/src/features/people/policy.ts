import { type Actor, isAdmin, isOwner } from '#platform/auth/actor.ts'

export const peoplePolicy = {
  list: (u: Actor) => isOwner(u) || isAdmin(u),
  /** Users who aren't owners see only members of their own workspaces. */
  seeAll: isOwner,
}
