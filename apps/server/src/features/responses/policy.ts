import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const responsePolicy = {
  create: (u: Actor, s: Membership) => isOwner(u) || s.member,
  /** Authors can still change their answers after they leave the workspace. */
  change: (u: Actor, s: Membership, author: string) => u.id === author || isOwner(u) || isAdminOf(u, s),
}
