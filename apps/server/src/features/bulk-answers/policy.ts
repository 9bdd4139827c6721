import { type Actor, isOwner, type Membership } from '#platform/auth/actor.ts'

const mayAnswer = (u: Actor, s: Membership) => isOwner(u) || s.member

export const bulkPolicy = {
  start: mayAnswer,
  /** The caller's own jobs. */
  list: mayAnswer,
  /** The effects of the caller's own jobs. */
  undo: mayAnswer,
}
