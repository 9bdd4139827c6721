import type { Workspace } from '@postil/contract/people/workspaces.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { printTime } from '#platform/time.ts'

// Workspaces are read here, because the workspaces service would load password hashing into the store's threads
const read = (db: Db) =>
  db.sql.selectFrom('workspaces').select(['id', 'name', 'inserted_at', 'updated_at']).orderBy('inserted_at').orderBy('id')

type Row = Awaited<ReturnType<ReturnType<typeof read>['execute']>>[number]

const print = (row: Row): Workspace => ({
  ...row,
  inserted_at: printTime(row.inserted_at),
  updated_at: printTime(row.updated_at),
})

/** The workspaces that the user can see, oldest first. */
export const visibleWorkspaces = async (db: Db, user: Actor): Promise<Workspace[]> => {
  let wanted = read(db)
  if (user.role !== 'owner') {
    wanted = wanted.where('id', 'in', (eb) => eb.selectFrom('memberships').select('workspace_id').where('user_id', '=', user.id))
  }
  return (await wanted.execute()).map(print)
}

/** The workspace of a dataset that the user can see. */
export const workspaceOf = async (db: Db, { workspace_id }: { readonly workspace_id: string }): Promise<Workspace> =>
  print(await read(db).where('id', '=', workspace_id).executeTakeFirstOrThrow())
