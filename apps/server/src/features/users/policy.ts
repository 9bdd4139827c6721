import { isOwner } from '#platform/auth/actor.ts'
import type { User } from '#platform/auth/user.ts'

export const userPolicy = {
  list: isOwner,
  get: isOwner,
  create: isOwner,
  update: isOwner,
  delete: isOwner,
  changeApiKey: (u: User, id: string) => isOwner(u) || u.id === id,
  /** An admin who could read every user's key could act as an owner. */
  // An API key bypasses the second factor, and a demo visitor could keep a key forever.
  seeApiKey: (u: User, id: string) => u.due === undefined && u.isShared !== true && (isOwner(u) || u.id === id),
}
