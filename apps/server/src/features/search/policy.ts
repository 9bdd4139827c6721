import type { Role } from '#platform/db/tables.ts'

export type Actor = { readonly id: string; readonly role: Role }
/** `member`: linked to the dataset's workspace. */
export type Membership = { readonly member: boolean }

const isOwner = (u: Actor) => u.role === 'owner'
const isAdminOf = (u: Actor, s: Membership) => u.role === 'admin' && s.member

export const searchPolicy = {
  all: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  mine: (u: Actor, s: Membership) => isOwner(u) || s.member,
  options: (u: Actor, s: Membership) => isOwner(u) || s.member,
  metrics: (u: Actor, s: Membership, p: { readonly visible_for_annotators: boolean }) =>
    isOwner(u) || (s.member && (u.role !== 'annotator' || p.visible_for_annotators)),
  /** Metadata that is hidden from annotators. */
  seeHidden: (u: Actor) => u.role !== 'annotator',
}
