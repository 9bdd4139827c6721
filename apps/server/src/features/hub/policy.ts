import { type Actor, isAdmin, isOwner } from '#platform/auth/actor.ts'

export const hubPolicy = {
  /** Only users who may create datasets may browse the Hub. */
  use: (u: Actor) => isOwner(u) || isAdmin(u),
}
