import type { User } from '#platform/auth/user.ts'

const isOwner = (u: User) => u.role === 'owner'

/** `member`: whether the user is linked to the workspace. */
export const workspacePolicy = {
  seeAll: isOwner,
  get: (u: User, member: boolean) => isOwner(u) || member,
  create: isOwner,
  delete: isOwner,
  listUsers: (u: User, member: boolean) => isOwner(u) || (u.role === 'admin' && member),
  addUser: isOwner,
  removeUser: (u: User, member: boolean) => isOwner(u) || (u.role === 'admin' && member),
  listOfUser: isOwner,
}
