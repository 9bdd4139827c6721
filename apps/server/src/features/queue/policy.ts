import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const queuePolicy = {
  settings: (u: Actor, s: Membership) => isOwner(u) || s.member,
  setSettings: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  take: (u: Actor, s: Membership) => isOwner(u) || s.member,
  renew: (u: Actor, s: Membership) => isOwner(u) || s.member,
  giveBack: (u: Actor, s: Membership) => isOwner(u) || s.member,
}
