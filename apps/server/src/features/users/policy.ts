import type { User } from '#platform/auth/user.ts'

const isOwner = (u: User) => u.role === 'owner'

export const userPolicy = {
  list: isOwner,
  get: isOwner,
  create: isOwner,
  update: isOwner,
  delete: isOwner,
  changeApiKey: (u: User, id: string) => isOwner(u) || u.id === id,
  /** An admin who could read everybody's key could act as an owner. */
  // NOTE: with it nobody is asked for a second factor, and a visitor of the demo would have it for good
  seeApiKey: (u: User, id: string) => u.due === undefined && u.isShared !== true && (isOwner(u) || u.id === id),
}
