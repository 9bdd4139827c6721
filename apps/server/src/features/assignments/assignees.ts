import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { Db } from '#platform/db/db.ts'
import { holdUsers } from '#platform/db/locks.ts'

type Place = { readonly workspace_id: string }

const heldUsers = async (db: Db, ids: readonly string[]) => {
  await holdUsers(db, ids)
  return db.sql
    .selectFrom('users')
    .select(['id', 'username', 'role', 'deactivated_at', 'is_agent'])
    .where('id', 'in', [...ids])
    .execute()
}

const membersOf = async (db: Db, workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db.sql
    .selectFrom('memberships')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', 'in', [...ids])
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

/** Returns which of these users can see the datasets of a workspace. Locks the users until the command ends. */
export const peopleWithAccess = async (db: Db, { workspace_id }: Place, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const users = await heldUsers(db, ids)
  const members = await membersOf(db, workspace_id, ids)
  return new Set(users.filter(({ id, role }) => role === 'owner' || members.has(id)).map(({ id }) => id))
}

/**
 * Checks that records of a workspace can be assigned to these people. Locks the users until the command ends, so that none of
 * them can be deleted or leave the workspace before the assignments are stored.
 * @throws Problem unprocessable, which names the first person to whom records can't be assigned
 */
export const requireAssignees = async (db: Db, { workspace_id }: Place, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  const users = new Map((await heldUsers(db, ids)).map((user) => [user.id, user]))
  const members = await membersOf(db, workspace_id, ids)
  for (const id of ids) {
    const user = users.get(id)
    if (user === undefined) throw unprocessable(message('assigneeUnknown', { id }))
    const { username } = user
    if (user.is_agent) throw unprocessable(message('assigneeAgent', { username }))
    if (user.deactivated_at !== null) throw unprocessable(message('assigneeDeactivated', { username }))
    if (user.role !== 'owner' && !members.has(id)) throw unprocessable(message('assigneeOutside', { username }))
  }
}
