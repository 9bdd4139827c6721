import type { Role } from '#platform/db/tables.ts'

export type Actor = { readonly id: string; readonly role: Role }
/** `member`: linked to the workspace of the record's dataset. */
export type Standing = { readonly member: boolean }

const isOwner = (u: Actor) => u.role === 'owner'
const isAdminOf = (u: Actor, s: Standing) => u.role === 'admin' && s.member

export const recordPolicy = {
  list: (u: Actor, s: Standing) => isOwner(u) || isAdminOf(u, s),
  create: (u: Actor, s: Standing) => isOwner(u) || isAdminOf(u, s),
  get: (u: Actor, s: Standing) => isOwner(u) || s.member,
  update: (u: Actor, s: Standing) => isOwner(u) || isAdminOf(u, s),
  delete: (u: Actor, s: Standing) => isOwner(u) || isAdminOf(u, s),
  /** Others' answers and hidden metadata; who may not sees the own answer and what annotators are shown. */
  seeAll: (u: Actor) => u.role !== 'annotator',
}
