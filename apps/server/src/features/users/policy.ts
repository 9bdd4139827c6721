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
  // Users whose second factor is due can't see their key, because a key bypasses the second factor. The demo's visitors can't
  // either, because they could keep the key forever.
  seeApiKey: (u: User, id: string) => u.due === undefined && u.isShared !== true && (isOwner(u) || u.id === id),
}
