import type { Role } from '#platform/db/tables.ts'

/** The acting user: the properties that commands, queries and policies need. */
export type Actor = { readonly id: string; readonly role: Role }
/** `member`: whether the user belongs to the action's workspace. */
export type Membership = { readonly member: boolean }

/** Omits properties that must not be sent to the store's threads. */
export const actorOf = ({ id, role }: Actor): Actor => ({ id, role })

export const isOwner = ({ role }: Pick<Actor, 'role'>): boolean => role === 'owner'
export const isAdmin = ({ role }: Pick<Actor, 'role'>): boolean => role === 'admin'
/** Whether the user is an admin of the workspace. */
export const isAdminOf = (user: Pick<Actor, 'role'>, { member }: Membership): boolean => isAdmin(user) && member
