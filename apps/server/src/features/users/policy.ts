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
  // NOTE: with it nobody is asked for a second factor
  seeApiKey: (u: User, id: string) => u.due === undefined && (isOwner(u) || u.id === id),
}
