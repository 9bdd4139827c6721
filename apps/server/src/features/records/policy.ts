import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const recordPolicy = {
  list: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  create: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  get: (u: Actor, s: Membership) => isOwner(u) || s.member,
  update: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  delete: (u: Actor, s: Membership) => isOwner(u) || isAdminOf(u, s),
  /**
   * May see other users' answers and hidden metadata. Annotators see only their own answers and the metadata that is visible to
   * annotators.
   */
  seeAll: (u: Actor) => u.role !== 'annotator',
}
