import { type Actor, isOwner, type Membership } from '#platform/auth/actor.ts'

const mayAnswer = (u: Actor, s: Membership) => isOwner(u) || s.member

export const bulkPolicy = {
  start: mayAnswer,
  /** Lists the caller's own jobs. */
  list: mayAnswer,
  /** Undoes what the caller's own jobs stored. */
  undo: mayAnswer,
}
