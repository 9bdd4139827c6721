import { type Actor, isAdmin, isOwner } from '#platform/auth/actor.ts'

export const jobPolicy = {
  list: isOwner,
  /** The user who started the job, and owners. */
  cancel: (u: Actor, startedBy: string | null) => isOwner(u) || u.id === startedBy,
  /** The wire doesn't require a workspace check here. Only clients that received a job's ID know it. */
  get: (u: Pick<Actor, 'role'>) => isOwner(u) || isAdmin(u),
}
