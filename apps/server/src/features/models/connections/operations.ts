import { maxModelConnections } from '@postil/contract/model-connections.ts'
import { forbidden, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import { newId } from '#platform/ids.ts'
import { now } from '#platform/time.ts'
import { modelPolicy } from '../policy.ts'
import { type ConnectionRow, selectConnections } from './rows.ts'

type OfWorkspace = { readonly user: Actor; readonly workspace_id: string }
type OfConnection = { readonly user: Actor; readonly id: string }

const isMemberOf = async (db: Db, user: Actor, workspaceId: string): Promise<boolean> =>
  (await db.sql
    .selectFrom('memberships')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', user.id)
    .executeTakeFirst()) !== undefined

/** Checks the permission first, so that outsiders can't find out which workspaces exist. @throws Problem forbidden, not_found */
const requireWorkspace = async (db: Db, { user, workspace_id }: OfWorkspace, isLocked: boolean): Promise<void> => {
  if (!modelPolicy.connect(user, { member: await isMemberOf(db, user, workspace_id) })) throw forbidden()
  const query = db.sql.selectFrom('workspaces').select('id').where('id', '=', workspace_id)
  const row = await (isLocked ? db.dialect.forUpdate(query) : query).executeTakeFirst()
  if (row === undefined) throw notFound('Workspace', workspace_id)
}

/** @throws Problem forbidden, not_found */
export const listConnections = query('models.connections', async (db, args: OfWorkspace): Promise<readonly ConnectionRow[]> => {
  await requireWorkspace(db, args, false)
  return selectConnections(db).where('workspace_id', '=', args.workspace_id).orderBy('inserted_at').orderBy('id').execute()
})

type NewConnection = Omit<ConnectionRow, 'id' | 'workspace_id' | 'inserted_at' | 'updated_at'>

/** @throws Problem forbidden, not_found, unprocessable if the workspace has too many connections */
export const createConnection = command(
  'models.create-connection',
  async (db, { connection, ...of }: OfWorkspace & { readonly connection: NewConnection }): Promise<ConnectionRow> => {
    // Locks the workspace, so that concurrent requests can't exceed the limit together.
    await requireWorkspace(db, of, true)
    const { workspace_id } = of
    const found = (await selectConnections(db).where('workspace_id', '=', workspace_id).execute()).length
    if (found >= maxModelConnections)
      throw unprocessable(message('tooManyModelConnections', { found, limit: maxModelConnections }))
    const at = now()
    const row = { ...connection, id: newId(), workspace_id, inserted_at: at, updated_at: at }
    await db.sql.insertInto('model_connections').values(row).execute()
    return row
  },
)

/** @throws Problem not_found, then forbidden */
const requireConnection = async (db: Db, { user, id }: OfConnection, isLocked: boolean): Promise<ConnectionRow> => {
  const query = selectConnections(db).where('id', '=', id)
  const row = await (isLocked ? db.dialect.forUpdate(query) : query).executeTakeFirst()
  if (row === undefined) throw notFound('Model connection', id)
  if (!modelPolicy.connect(user, { member: await isMemberOf(db, user, row.workspace_id) })) throw forbidden()
  return row
}

/** @throws Problem not_found, forbidden */
export const getConnection = query(
  'models.connection',
  (db, of: OfConnection): Promise<ConnectionRow> => requireConnection(db, of, false),
)

/** The columns to change. `key_sealed` is null if the key is removed. */
type ConnectionChange = Partial<NewConnection>

/** Changes only the values that differ from the stored ones. @throws Problem not_found, forbidden, unprocessable */
export const updateConnection = command(
  'models.update-connection',
  async (db, { change, ...of }: OfConnection & { readonly change: ConnectionChange }): Promise<ConnectionRow> => {
    const before = await requireConnection(db, of, true)
    const after = { ...before, ...change }
    const isMoved = after.base_url !== before.base_url
    if (isMoved && before.key_sealed !== null && change.key_sealed === undefined) throw unprocessable(message('modelKeyNeeded'))
    if (json(after) === json(before)) return before
    const updated_at = now()
    await db.sql
      .updateTable('model_connections')
      .set({ ...change, updated_at })
      .where('id', '=', of.id)
      .execute()
    return { ...after, updated_at }
  },
)

/** @throws Problem not_found, forbidden */
export const deleteConnection = command('models.delete-connection', async (db, of: OfConnection): Promise<ConnectionRow> => {
  const row = await requireConnection(db, of, true)
  await db.sql.deleteFrom('model_connections').where('id', '=', of.id).execute()
  return row
})
