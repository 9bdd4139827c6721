import type { Role } from '#platform/db/tables.ts'

export type Actor = { readonly id: string; readonly role: Role }
/** `member`: linked to the dataset's workspace. */
export type Standing = { readonly member: boolean }

const mayAnswer = (u: Actor, s: Standing) => u.role === 'owner' || s.member

export const bulkPolicy = {
  start: mayAnswer,
  /** One's own jobs. */
  list: mayAnswer,
  /** What one's own jobs did. */
  undo: mayAnswer,
}
