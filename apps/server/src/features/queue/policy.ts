import type { Role } from '#platform/db/tables.ts'

export type Actor = { readonly id: string; readonly role: Role }
/** `member`: linked to the dataset's workspace. */
export type Membership = { readonly member: boolean }

const isOwner = (u: Actor) => u.role === 'owner'

export const queuePolicy = {
  settings: (u: Actor, s: Membership) => isOwner(u) || s.member,
  setSettings: (u: Actor, s: Membership) => isOwner(u) || (u.role === 'admin' && s.member),
  take: (u: Actor, s: Membership) => isOwner(u) || s.member,
  renew: (u: Actor, s: Membership) => isOwner(u) || s.member,
  giveBack: (u: Actor, s: Membership) => isOwner(u) || s.member,
}
