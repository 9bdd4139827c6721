import { forbidden } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { Role } from '#platform/db/tables.ts'

/** The acting user: the properties that commands, queries and policies need. */
export type Actor = {
  readonly id: string
  readonly role: Role
  /** Whether the user is marked as an agent, or an agent sent the request for the user. */
  readonly is_agent?: boolean | undefined
}
/** `member`: whether the user is a member of the workspace that the action concerns. */
export type Membership = { readonly member: boolean }

/** Omits properties that must not be sent to the store's threads. */
export const actorOf = ({ id, role, is_agent = false }: Actor): Actor => ({ id, role, is_agent })

/** Only people can answer. @throws Problem forbidden for an agent */
export const refuseAgent = ({ is_agent = false }: Pick<Actor, 'is_agent'>): void => {
  if (is_agent) throw forbidden(message('agentAnswers'))
}

export const isOwner = ({ role }: Pick<Actor, 'role'>): boolean => role === 'owner'
export const isAdmin = ({ role }: Pick<Actor, 'role'>): boolean => role === 'admin'
/** Whether the user is an admin of the workspace. */
export const isAdminOf = (user: Pick<Actor, 'role'>, { member }: Membership): boolean => isAdmin(user) && member
