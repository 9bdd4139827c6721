import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

/** Kinds of jobs that must run to completion, because stopping them would leave data half changed. */
const UNSTOPPABLE: ReadonlySet<string> = new Set(['schema.relabel'])

export const isStoppable = (kind: string): boolean => !UNSTOPPABLE.has(kind)

export const jobPolicy = {
  list: isOwner,
  cancel: (u: Actor, startedBy: string | null) => isOwner(u) || u.id === startedBy,
  /** Allowed for the user who started the job, for admins of its dataset's workspace, and for owners. */
  get: (u: Actor, startedBy: string | null, s: Membership) => isOwner(u) || u.id === startedBy || isAdminOf(u, s),
}
