import { type Actor, isAdmin, isOwner } from '#platform/auth/actor.ts'

export const jobPolicy = {
  list: isOwner,
  /** The user who started it, and owners. */
  cancel: (u: Actor, startedBy: string | null) => isOwner(u) || u.id === startedBy,
  /** The wire doesn't check workspaces here. A job's ID is known only to those who received it. */
  get: (u: Pick<Actor, 'role'>) => isOwner(u) || isAdmin(u),
}
