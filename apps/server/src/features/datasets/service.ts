import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { datasetPolicy } from './policy.ts'
import type { FoundDataset } from './rows.ts'
import * as rows from './rows.ts'

/** The dataset for another feature's query, and whether the caller is a member of its workspace. @throws Problem not_found */
export const datasetFor = (db: Db, id: string, user: Actor): Promise<FoundDataset> => rows.findDataset(db, id, user.id)

/** The dataset for another feature's command, locked against concurrent schema changes. @throws Problem not_found */
export const lockDatasetFor = (db: Db, id: string, user: Actor): Promise<FoundDataset> =>
  rows.findDataset(db, id, user.id, 'change')

/** Who may see a dataset, and who may change it and its schema. */
export const maySee = (user: Actor, dataset: FoundDataset): boolean => datasetPolicy.get(user, dataset)
export const mayChange = (user: Actor, dataset: FoundDataset): boolean => datasetPolicy.update(user, dataset)

/** All datasets that the user can see, oldest first. Other features call this in their queries. */
export const visibleDatasets = async (db: Db, user: Actor): Promise<Omit<FoundDataset, 'member'>[]> =>
  rows.withActivity(db, await rows.visibleDatasets(db, user).execute())
