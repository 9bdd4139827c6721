import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const jobPolicy = {
  list: isOwner,
  /** Allowed for the user who started the job, and for owners. */
  cancel: (u: Actor, startedBy: string | null) => isOwner(u) || u.id === startedBy,
  /** Allowed for the user who started the job, for admins of its dataset's workspace, and for owners. */
  get: (u: Actor, startedBy: string | null, s: Membership) => isOwner(u) || u.id === startedBy || isAdminOf(u, s),
}
