import type { Db } from '#platform/db/db.ts'
import { now } from '#platform/time.ts'
import { byName, insertWorkspace, lockWorkspace } from './workspace-store.ts'

/**
 * Makes a user a member of the workspaces of these names; those that are missing are made. Runs inside a command.
 * @param exactly true: memberships in others end
 */
export const grantWorkspaces = async (db: Db, user_id: string, names: readonly string[], exactly: boolean): Promise<void> => {
  const wanted: string[] = []
  // NOTE: always in the same order, so that two sign-ins do not wait for each other
  for (const name of [...new Set(names)].sort()) {
    const known = await byName(db, name)
    wanted.push((known === undefined ? await insertWorkspace(db, null, name) : await lockWorkspace(db, known.id)).id)
  }
  const rows = await db.sql.selectFrom('memberships').select('workspace_id').where('user_id', '=', user_id).execute()
  const standing = new Set(rows.map(({ workspace_id }) => workspace_id))
  const over = exactly ? [...standing].filter((id) => !wanted.includes(id)) : []
  if (over.length > 0) {
    await db.sql.deleteFrom('memberships').where('user_id', '=', user_id).where('workspace_id', 'in', over).execute()
  }
  const fresh = wanted.filter((id) => !standing.has(id))
  const added = fresh.map((workspace_id) => ({ workspace_id, user_id, inserted_at: now() }))
  await db.dialect.insertMany(db.sql, 'memberships', added, { ignoreConflicts: true })
}
