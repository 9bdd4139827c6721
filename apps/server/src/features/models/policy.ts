import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

const isLead = (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s)

export const modelPolicy = {
  /** Whether the user can see, create and change the connections of a workspace. */
  connect: isLead,
  /** Whether the user can see, start and publish the runs of a dataset. */
  run: isLead,
}
