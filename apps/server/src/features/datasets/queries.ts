import type { Dataset, DatasetStatus } from '@postil/contract/datasets.ts'
import { hasUnstorable } from '@postil/contract/wire/code-points.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { datasetPolicy } from './policy.ts'
import { findDataset, printDataset, visibleDatasets, withActivity } from './rows.ts'

/** @throws Problem not_found, forbidden */
export const getDataset = query(
  'datasets.get',
  async (db, { user, id }: { user: Actor; id: string }): Promise<Dataset> => {
    const dataset = await findDataset(db, id, user.id)
    if (!datasetPolicy.get(user, dataset)) throw forbidden()
    return printDataset(dataset)
  },
  { single: true },
)

type DatasetFilter = {
  readonly workspace_id?: string | undefined
  readonly name?: string | undefined
  readonly status?: DatasetStatus | undefined
}

const standingIn = async (db: Db, workspaceId: string, userId: string) => {
  const row = await db.sql
    .selectFrom('memberships')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return { member: row !== undefined }
}

/** Datasets that the user can see, oldest first. @throws Problem forbidden for a workspace that the user doesn't belong to */
export const listDatasets = query(
  'datasets.list',
  async (db, { user, filter }: { user: Actor; filter: DatasetFilter }): Promise<Dataset[]> => {
    const { workspace_id, name, status } = filter
    if (workspace_id !== undefined && !datasetPolicy.list(user, await standingIn(db, workspace_id, user.id))) throw forbidden()
    // PostgreSQL doesn't accept NUL, even as a search value
    if (name !== undefined && hasUnstorable(name)) return []
    let selection = visibleDatasets(db, user)
    if (workspace_id !== undefined) selection = selection.where('datasets.workspace_id', '=', workspace_id)
    if (name !== undefined) selection = selection.where('datasets.name', '=', name)
    if (status !== undefined) selection = selection.where('datasets.status', '=', status)
    return (await withActivity(db, await selection.execute())).map(printDataset)
  },
)
