import type { Db } from '#platform/db/db.ts'
import { now } from '#platform/time.ts'
import { byName, insertWorkspace, lockWorkspace } from './workspace-store.ts'

/**
 * Makes a user a member of the workspaces with these names, creating missing workspaces. Must be called inside a command.
 * @param exactly true to end memberships in other workspaces
 */
export const grantWorkspaces = async (db: Db, user_id: string, names: readonly string[], exactly: boolean): Promise<void> => {
  const workspaceIds: string[] = []
  // The names are always processed in the same order, so that concurrent sign-ins can't deadlock.
  for (const name of [...new Set(names)].sort()) {
    const known = await byName(db, name)
    workspaceIds.push((known === undefined ? await insertWorkspace(db, null, name) : await lockWorkspace(db, known.id)).id)
  }
  const rows = await db.sql.selectFrom('memberships').select('workspace_id').where('user_id', '=', user_id).execute()
  const existing = new Set(rows.map(({ workspace_id }) => workspace_id))
  const over = exactly ? [...existing].filter((id) => !workspaceIds.includes(id)) : []
  if (over.length > 0) {
    await db.sql.deleteFrom('memberships').where('user_id', '=', user_id).where('workspace_id', 'in', over).execute()
  }
  const newIds = workspaceIds.filter((id) => !existing.has(id))
  const added = newIds.map((workspace_id) => ({ workspace_id, user_id, inserted_at: now() }))
  await db.dialect.insertMany(db.sql, 'memberships', added, { ignoreConflicts: true })
}

/**
 * Makes a new user a member of the given workspaces, except those that no longer exist. Must be called inside a command.
 */
export const joinWorkspaces = async (db: Db, user_id: string, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  // Locks the workspaces, so that none is deleted before the command ends. The order is fixed, so that concurrent calls can't
  // deadlock.
  const rows = await db.dialect
    .forUpdate(db.sql.selectFrom('workspaces').select('id').where('id', 'in', ids).orderBy('id'))
    .execute()
  const added = rows.map(({ id }) => ({ workspace_id: id, user_id, inserted_at: now() }))
  await db.dialect.insertMany(db.sql, 'memberships', added, { ignoreConflicts: true })
}
