import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const jobPolicy = {
  list: isOwner,
  /** The user who started the job, and owners. */
  cancel: (u: Actor, startedBy: string | null) => isOwner(u) || u.id === startedBy,
  /** The user who started the job, admins of its dataset's workspace, and owners. */
  get: (u: Actor, startedBy: string | null, s: Membership) => isOwner(u) || u.id === startedBy || isAdminOf(u, s),
}
