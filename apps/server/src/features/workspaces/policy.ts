import { isAdminOf, isOwner } from '#platform/auth/actor.ts'
import type { User } from '#platform/auth/user.ts'

/** `member`: whether the user is a member of the workspace. */
export const workspacePolicy = {
  seeAll: isOwner,
  get: (u: User, member: boolean) => isOwner(u) || member,
  create: isOwner,
  delete: isOwner,
  listUsers: (u: User, member: boolean) => isOwner(u) || isAdminOf(u, { member }),
  addUser: isOwner,
  removeUser: (u: User, member: boolean) => isOwner(u) || isAdminOf(u, { member }),
  listOfUser: isOwner,
}
