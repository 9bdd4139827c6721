import { conflict, notFoundWithReason, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { lockUser } from '#platform/db/locks.ts'
import { command } from '#platform/db/operations.ts'
import { now } from '#platform/time.ts'
import type { WorkspaceRow } from './rows.ts'
import { byName, insertWorkspace, lockWorkspace } from './workspace-store.ts'

/** @throws Problem `conflict` for a name or ID that is taken */
export const createWorkspace = command(
  'workspaces.create',
  async (db, { id, name }: { id: string | null; name: string }): Promise<WorkspaceRow> => {
    if (await byName(db, name)) throw conflict(message('workspaceExists', { name }))
    const same =
      id === null ? undefined : await db.sql.selectFrom('workspaces').select('id').where('id', '=', id).executeTakeFirst()
    if (same) throw conflict(`Workspace with id \`${same.id}\` already exists`)
    return insertWorkspace(db, id, name)
  },
)

export const ensureWorkspace = command(
  'workspaces.ensure',
  async (db, { name }: { name: string }): Promise<WorkspaceRow> => (await byName(db, name)) ?? insertWorkspace(db, null, name),
)

/** @throws Problem `conflict` if the workspace has datasets */
export const deleteWorkspace = command('workspaces.delete', async (db, { id }: { id: string }): Promise<WorkspaceRow> => {
  const row = await lockWorkspace(db, id)
  const dataset = await db.sql
    .selectFrom('datasets')
    .select('name')
    .where('workspace_id', '=', id)
    .where('gone_at', 'is', null)
    .executeTakeFirst()
  if (dataset) throw conflict(message('workspaceHasDatasets', { name: row.name, dataset: dataset.name }))
  await db.sql.deleteFrom('memberships').where('workspace_id', '=', id).execute()
  await db.sql.deleteFrom('model_connections').where('workspace_id', '=', id).execute()
  await db.sql.deleteFrom('workspaces').where('id', '=', id).execute()
  return row
})

type Membership = { readonly id: string; readonly user_id: string }

/** @throws Problem `unprocessable` for an unknown user, `conflict` for an existing member */
export const addMember = command('workspaces.add_member', async (db, { id, user_id }: Membership): Promise<void> => {
  await lockUser(db, user_id)
  const workspace = await lockWorkspace(db, id)
  const user = await db.sql.selectFrom('users').select(['id', 'username']).where('id', '=', user_id).executeTakeFirst()
  if (user === undefined) throw unprocessable(`User with id \`${user_id}\` not found`)
  const member = await db.sql
    .selectFrom('memberships')
    .select('user_id')
    .where('workspace_id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  if (member) throw conflict(message('alreadyMember', { username: user.username, workspace: workspace.name }))
  await db.sql.insertInto('memberships').values({ workspace_id: id, user_id, inserted_at: now() }).execute()
})

/** @throws Problem `not_found` if the user isn't a member, or is no longer one */
export const removeMember = command('workspaces.remove_member', async (db, { id, user_id }: Membership): Promise<void> => {
  // Locks the user, so that no new leases are assigned. Acquiring the lock waits for commands that are assigning leases to the
  // user, so this command sees these leases and can release them.
  await lockUser(db, user_id)
  const removed = await db.sql
    .deleteFrom('memberships')
    .where('workspace_id', '=', id)
    .where('user_id', '=', user_id)
    .returning('user_id')
    .executeTakeFirst()
  if (removed === undefined)
    throw notFoundWithReason(`User with id \`${user_id}\` does not belong to workspace with id \`${id}\``)
})
