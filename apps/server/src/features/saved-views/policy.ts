import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

/** `shown`: whether the caller can see all metadata that the view refers to. */
export type View = { readonly user_id: string; readonly shared: boolean; readonly shown: boolean }

const isAuthor = (u: Actor, v: Pick<View, 'user_id'>) => u.id === v.user_id

export const savedViewPolicy = {
  list: (u: Actor, s: Membership) => isOwner(u) || s.member,
  create: (u: Actor, s: Membership) => isOwner(u) || s.member,
  /** Callers who can't see a view must not be able to find out that it exists. */
  see: (u: Actor, v: View) => isAuthor(u, v) || (v.shared && v.shown),
  update: (u: Actor, s: Membership, v: Pick<View, 'user_id'>) => isAuthor(u, v) || isOwner(u) || isAdminOf(u, s),
  /** Only the author can change sharing. Otherwise, another user could hide the view from everyone except its author. */
  share: (u: Actor, v: Pick<View, 'user_id'>) => isAuthor(u, v),
  delete: (u: Actor, s: Membership, v: Pick<View, 'user_id'>) => isAuthor(u, v) || isOwner(u) || isAdminOf(u, s),
}
