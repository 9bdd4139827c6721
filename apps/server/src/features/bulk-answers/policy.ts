import type { Role } from '#platform/db/tables.ts'

export type Actor = { readonly id: string; readonly role: Role }
/** `member`: linked to the dataset's workspace. */
export type Membership = { readonly member: boolean }

const mayAnswer = (u: Actor, s: Membership) => u.role === 'owner' || s.member

export const bulkPolicy = {
  start: mayAnswer,
  /** The caller's own jobs. */
  list: mayAnswer,
  /** The effects of the caller's own jobs. */
  undo: mayAnswer,
}
