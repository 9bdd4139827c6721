import type { Role } from '#platform/db/tables.ts'

export type Actor = { readonly id: string; readonly role: Role }
/** `member`: linked to the workspace of the record's dataset. */
export type Standing = { readonly member: boolean }

const isOwner = (u: Actor) => u.role === 'owner'
const isAdminOf = (u: Actor, s: Standing) => u.role === 'admin' && s.member

export const historyPolicy = {
  get: (u: Actor, s: Standing) => isOwner(u) || s.member,
  /** Changes of the record itself and of others' answers; who may not is shown those of the own answer. */
  seeAll: (u: Actor, s: Standing) => isOwner(u) || isAdminOf(u, s),
}
