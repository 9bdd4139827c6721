import { type Actor, isOwner, type Membership } from '#platform/auth/actor.ts'

export const threadPolicy = {
  /** Everyone who can see the dataset can read and write comments, and resolve threads. */
  discuss: (u: Actor, s: Membership) => isOwner(u) || s.member,
  /** Only the author of a comment can change or delete it. */
  change: (u: Actor, comment: { readonly user_id: string }) => u.id === comment.user_id,
}
