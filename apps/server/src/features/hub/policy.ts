import { type Actor, isAdmin, isOwner } from '#platform/auth/actor.ts'

export const hubPolicy = {
  /** Only users who may create datasets see what the Hub shows of one. */
  use: (u: Actor) => isOwner(u) || isAdmin(u),
}
