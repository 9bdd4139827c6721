import { notFound } from '@postil/contract/wire/errors.ts'
import type { Db } from '#platform/db/db.ts'
import { newId } from '#platform/ids.ts'
import { now } from '#platform/time.ts'
import { type WorkspaceRow, workspaceColumns } from './rows.ts'

export const byName = (db: Db, name: string) =>
  db.sql.selectFrom('workspaces').select(workspaceColumns).where('name', '=', name).executeTakeFirst()

export const insertWorkspace = async (db: Db, id: string | null, name: string): Promise<WorkspaceRow> => {
  const at = now()
  const row = { id: id ?? newId(), name, inserted_at: at, updated_at: at }
  await db.sql.insertInto('workspaces').values(row).execute()
  return row
}

/** Locks the row until the command ends, so that the workspace can't be deleted while the command adds something to it. */
export const lockWorkspace = async (db: Db, id: string): Promise<WorkspaceRow> => {
  const row = await db.dialect
    .forUpdate(db.sql.selectFrom('workspaces').select(workspaceColumns).where('id', '=', id))
    .executeTakeFirst()
  if (row === undefined) throw notFound('Workspace', id)
  return row
}
