import { command } from '#platform/db/operations.ts'
import type { OriginalRow } from '#platform/original-row.ts'
import { now } from '#platform/time.ts'

type AdoptedWorkspace = OriginalRow & { readonly name: string }

/**
 * Adds a workspace from another server with its ID and times, unless a workspace with this ID or name already exists.
 * @returns the workspace's ID here
 */
export const adoptWorkspace = command('workspaces.adopt', async (db, workspace: AdoptedWorkspace): Promise<string> => {
  const rows = await db.sql
    .selectFrom('workspaces')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', workspace.id), eb('name', '=', workspace.name)]))
    .execute()
  const existing = rows.find(({ id }) => id === workspace.id) ?? rows[0]
  if (existing !== undefined) return existing.id
  await db.sql.insertInto('workspaces').values(workspace).execute()
  return workspace.id
})

/** Adds users to a workspace, in the given order. Existing members stay unchanged. @returns how many users were added */
export const adoptMembers = command(
  'workspaces.adopt_members',
  async (db, { id, user_ids }: { readonly id: string; readonly user_ids: readonly string[] }): Promise<number> => {
    const members = await db.sql.selectFrom('memberships').select('user_id').where('workspace_id', '=', id).execute()
    const existing = new Set(members.map(({ user_id }) => user_id))
    const newIds = [...new Set(user_ids)].filter((user_id) => !existing.has(user_id))
    const rows = newIds.map((user_id) => ({ workspace_id: id, user_id, inserted_at: now() }))
    await db.dialect.insertMany(db.sql, 'memberships', rows, { ignoreConflicts: true })
    return rows.length
  },
)
