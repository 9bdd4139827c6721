import type { Role } from '#platform/db/tables.ts'

export type Actor = { readonly id: string; readonly role: Role }
/** `member`: linked to the workspace of the dataset. */
export type Standing = { readonly member: boolean }
/** `shown`: whether the caller is shown all metadata that it names. */
export type View = { readonly user_id: string; readonly shared: boolean; readonly shown: boolean }

const isOwner = (u: Actor) => u.role === 'owner'
const isAdminOf = (u: Actor, s: Standing) => u.role === 'admin' && s.member
const isAuthor = (u: Actor, v: Pick<View, 'user_id'>) => u.id === v.user_id

export const savedViewPolicy = {
  list: (u: Actor, s: Standing) => isOwner(u) || s.member,
  create: (u: Actor, s: Standing) => isOwner(u) || s.member,
  /** Who may not see a view is not told that it is there. */
  see: (u: Actor, v: View) => isAuthor(u, v) || (v.shared && v.shown),
  update: (u: Actor, s: Standing, v: Pick<View, 'user_id'>) => isAuthor(u, v) || isOwner(u) || isAdminOf(u, s),
  /** Nobody makes somebody else's view disappear for all but its author. */
  share: (u: Actor, v: Pick<View, 'user_id'>) => isAuthor(u, v),
  delete: (u: Actor, s: Standing, v: Pick<View, 'user_id'>) => isAuthor(u, v) || isOwner(u) || isAdminOf(u, s),
}
