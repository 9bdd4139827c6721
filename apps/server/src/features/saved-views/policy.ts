import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

/** `shown`: whether the caller can see all metadata that the view names. */
export type View = { readonly user_id: string; readonly shared: boolean; readonly shown: boolean }

const isAuthor = (u: Actor, v: Pick<View, 'user_id'>) => u.id === v.user_id

export const savedViewPolicy = {
  list: (u: Actor, s: Membership) => isOwner(u) || s.member,
  create: (u: Actor, s: Membership) => isOwner(u) || s.member,
  /** Callers who can't see a view must not learn that it exists. */
  see: (u: Actor, v: View) => isAuthor(u, v) || (v.shared && v.shown),
  update: (u: Actor, s: Membership, v: Pick<View, 'user_id'>) => isAuthor(u, v) || isOwner(u) || isAdminOf(u, s),
  /** Only the author can change sharing. Otherwise someone else could hide the view from everyone but its author. */
  share: (u: Actor, v: Pick<View, 'user_id'>) => isAuthor(u, v),
  delete: (u: Actor, s: Membership, v: Pick<View, 'user_id'>) => isAuthor(u, v) || isOwner(u) || isAdminOf(u, s),
}
