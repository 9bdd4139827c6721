import { command } from '#platform/db/operations.ts'
import type { Kept } from '#platform/kept.ts'
import { now } from '#platform/time.ts'

export type AdoptedWorkspace = Kept & { readonly name: string }

/**
 * Adds a workspace of another server with id and times, unless there is one with the id or, failing that, the name.
 * @returns the id that it has here
 */
export const adoptWorkspace = command('workspaces.adopt', async (db, workspace: AdoptedWorkspace): Promise<string> => {
  const rows = await db.sql
    .selectFrom('workspaces')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', workspace.id), eb('name', '=', workspace.name)]))
    .execute()
  const standing = rows.find(({ id }) => id === workspace.id) ?? rows[0]
  if (standing !== undefined) return standing.id
  await db.sql.insertInto('workspaces').values(workspace).execute()
  return workspace.id
})

/** Links users to a workspace, in this order; those who belong to it stay as they are. @returns how many were linked */
export const adoptMembers = command(
  'workspaces.adopt_members',
  async (db, { id, user_ids }: { readonly id: string; readonly user_ids: readonly string[] }): Promise<number> => {
    const members = await db.sql.selectFrom('memberships').select('user_id').where('workspace_id', '=', id).execute()
    const standing = new Set(members.map(({ user_id }) => user_id))
    const fresh = [...new Set(user_ids)].filter((user_id) => !standing.has(user_id))
    const rows = fresh.map((user_id) => ({ workspace_id: id, user_id, inserted_at: now() }))
    await db.dialect.insertMany(db.sql, 'memberships', rows, { ignoreConflicts: true })
    return rows.length
  },
)
