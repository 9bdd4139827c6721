import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const searchPolicy = {
  all: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  mine: (u: Actor, s: Membership) => isOwner(u) || s.member,
  options: (u: Actor, s: Membership) => isOwner(u) || s.member,
  metrics: (u: Actor, s: Membership, p: { readonly visible_for_annotators: boolean }) =>
    isOwner(u) || (s.member && (u.role !== 'annotator' || p.visible_for_annotators)),
  /** May see metadata that is hidden from annotators. */
  seeHidden: (u: Actor) => u.role !== 'annotator',
  /** May filter and sort by agreement, which reveals how others have answered. */
  seeAgreement: (u: Actor) => u.role !== 'annotator',
}
