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
  seeApiKey: (u: User, id: string) => isOwner(u) || u.id === id,
}
