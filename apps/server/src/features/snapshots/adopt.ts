import { maxSnapshots } from '@postil/contract/snapshots.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { type StoredSnapshot, selectSnapshots } from './rows.ts'

/**
 * Stores snapshots from another server. Must be called after the history has been copied. The records must have the same `seq`s
 * on both servers.
 * @returns the snapshots that can't be stored, with the reasons
 */
export const adoptSnapshots = async (
  db: Db,
  datasetNo: number,
  snapshots: readonly StoredSnapshot[],
): Promise<readonly { readonly name: string; readonly reason: string }[]> => {
  const stored = await selectSnapshots(db, datasetNo).execute()
  const left: { name: string; reason: string }[] = []
  let count = stored.length
  for (const { content, ...snapshot } of snapshots) {
    if (stored.some(({ id }) => id === snapshot.id)) continue
    const skip = (reason: string) => left.push({ name: snapshot.name, reason })
    if (stored.some(({ name }) => name === snapshot.name)) skip('there is another snapshot with that name here')
    else if (count >= maxSnapshots) skip(`the dataset already has the maximum of ${maxSnapshots} snapshots here`)
    else {
      await db.sql
        .insertInto('snapshots')
        .values({ ...snapshot, dataset_no: datasetNo, content: json(content) })
        .execute()
      count += 1
    }
  }
  return left
}
