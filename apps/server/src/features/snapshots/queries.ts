import type { Snapshot } from '@postil/contract/snapshots.ts'
import { readableDataset } from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { query } from '#platform/db/operations.ts'
import { printSnapshots, selectSnapshots } from './rows.ts'

/** The snapshots of a dataset, newest first. @throws Problem not_found, forbidden */
export const listSnapshots = query(
  'snapshots.list',
  async (db, { user, dataset_id }: { readonly user: Actor; readonly dataset_id: string }): Promise<Snapshot[]> => {
    const dataset = await readableDataset(db, dataset_id, user)
    const rows = await selectSnapshots(db, dataset.no).orderBy('at', 'desc').execute()
    return printSnapshots(db, rows)
  },
)
