import type { Dataset, DatasetCreate, DatasetUpdate } from '@postil/contract/datasets.ts'
import type { AppContext } from '#context.ts'
import type { Db } from '#platform/db/db.ts'
import * as commands from './commands.ts'
import type { Actor } from './policy.ts'
import { datasetPolicy } from './policy.ts'
import * as queries from './queries.ts'
import type { DatasetRow, FoundDataset } from './rows.ts'
import * as rows from './rows.ts'

export type { Actor } from './policy.ts'
export type { DatasetRow, FoundDataset } from './rows.ts'

export const listMyDatasets = async (
  ctx: AppContext,
  user: Actor,
  filter: queries.DatasetFilter,
): Promise<{ items: Dataset[] }> => ({
  items: await ctx.store.read(queries.listDatasets, { user, filter }),
})

export const getDataset = (ctx: AppContext, user: Actor, id: string): Promise<Dataset> =>
  ctx.store.read(queries.getDataset, { user, id })

export const createDataset = (ctx: AppContext, user: Actor, body: DatasetCreate): Promise<Dataset> =>
  ctx.store.write(commands.createDataset, { user, body })

export const updateDataset = (ctx: AppContext, user: Actor, id: string, body: DatasetUpdate): Promise<Dataset> =>
  ctx.store.write(commands.updateDataset, { user, id, body })

export const publishDataset = (ctx: AppContext, user: Actor, id: string): Promise<Dataset> =>
  ctx.store.write(commands.publishDataset, { user, id })

export const deleteDataset = (ctx: AppContext, user: Actor, id: string): Promise<Dataset> =>
  ctx.store.write(commands.deleteDataset, { user, id })

// Called by the migration from another server, inside its own command.
export { type AdoptedDataset, adoptDataset } from './adopt.ts'

/** The dataset for another feature's query, and whether the caller is linked to its workspace. @throws Problem not_found */
export const datasetFor = (db: Db, id: string, user: Actor): Promise<FoundDataset> => rows.findDataset(db, id, user.id)

/** The dataset for another feature's command, locked against other changes of its schema. @throws Problem not_found */
export const lockDatasetFor = (db: Db, id: string, user: Actor): Promise<FoundDataset> =>
  rows.findDataset(db, id, user.id, db.dialect.forUpdate)

/** Who may see a dataset, and who may change it and its schema. */
export const maySee = (user: Actor, dataset: FoundDataset): boolean => datasetPolicy.get(user, dataset)
export const mayChange = (user: Actor, dataset: FoundDataset): boolean => datasetPolicy.update(user, dataset)

/** All datasets that the user can see, oldest first, for another feature's query. */
export const visibleDatasets = async (db: Db, user: Actor): Promise<DatasetRow[]> =>
  rows.withActivity(db, await rows.visibleDatasets(db, user).execute())
export const presentDataset = (row: DatasetRow): Dataset => rows.printDataset(row)
