import { maxSnapshots, type Snapshot } from '@postil/contract/snapshots.ts'
import { conflict, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { fieldRows, lockedDataset, metadataPropertyRows, questionRows } from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { newId } from '#platform/ids.ts'
import { type Micros, now, setFloor } from '#platform/time.ts'
import { printSnapshot, type SnapshotContent, selectSnapshots } from './rows.ts'

type InDataset = { readonly user: Actor; readonly dataset_id: string }
type Named = { readonly body: { readonly name: string } }

/**
 * Returns a time after all changes that this process has stored. All its later changes get a later time. The result is a whole
 * millisecond, because IDs contain milliseconds.
 */
const moment = (): Micros => {
  const at = (Math.floor(now() / 1000) + 1) * 1000
  setFloor(at)
  return at
}

/** @throws Problem conflict */
const refuseTakenName = async (db: Db, datasetNo: number, name: string): Promise<void> => {
  const taken = await db.sql
    .selectFrom('snapshots')
    .select('id')
    .where('dataset_no', '=', datasetNo)
    .where('name', '=', name)
    .executeTakeFirst()
  if (taken) throw conflict(message('snapshotExists', { name }))
}

/**
 * Creates a snapshot of the current state. The dataset is locked, so every other change is stored either before or after it.
 * @throws Problem not_found, forbidden, conflict, unprocessable
 */
export const createSnapshot = command(
  'snapshots.create',
  async (db, { user, dataset_id, body: { name } }: InDataset & Named): Promise<Snapshot> => {
    const dataset = await lockedDataset(db, dataset_id, user)
    await refuseTakenName(db, dataset.no, name)
    const { n } = await db.sql
      .selectFrom('snapshots')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('dataset_no', '=', dataset.no)
      .executeTakeFirstOrThrow()
    if (Number(n) >= maxSnapshots) throw unprocessable(message('tooManySnapshots', { limit: maxSnapshots }))
    const { next_seq } = await db.sql
      .selectFrom('dataset_state')
      .select('next_seq')
      .where('dataset_no', '=', dataset.no)
      .executeTakeFirstOrThrow()
    const content: SnapshotContent = {
      allow_extra_metadata: dataset.allow_extra_metadata,
      fields: await fieldRows(db, dataset.id),
      questions: await questionRows(db, dataset.id),
      properties: await metadataPropertyRows(db, dataset.id),
    }
    const row = { id: newId(), name, at: moment(), user_id: user.id }
    await db.sql
      .insertInto('snapshots')
      .values({ ...row, dataset_no: dataset.no, next_seq, content: json(content) })
      .execute()
    return printSnapshot(db, row)
  },
)

type OfSnapshot = InDataset & { readonly snapshot_id: string }

/** @throws Problem not_found, forbidden */
const lockedSnapshot = async (db: Db, { user, dataset_id, snapshot_id }: OfSnapshot) => {
  const dataset = await lockedDataset(db, dataset_id, user)
  const snapshot = await selectSnapshots(db, dataset.no).where('id', '=', snapshot_id).executeTakeFirst()
  if (snapshot === undefined) throw notFound('Snapshot', snapshot_id)
  return { no: dataset.no, snapshot }
}

/** @throws Problem not_found, forbidden, conflict */
export const renameSnapshot = command('snapshots.rename', async (db, { body, ...of }: OfSnapshot & Named): Promise<Snapshot> => {
  const { no, snapshot } = await lockedSnapshot(db, of)
  const { name } = body
  if (name !== snapshot.name) await refuseTakenName(db, no, name)
  await db.sql.updateTable('snapshots').set({ name }).where('dataset_no', '=', no).where('id', '=', snapshot.id).execute()
  return printSnapshot(db, { ...snapshot, name })
})

/** @returns the snapshot before its deletion. @throws Problem not_found, forbidden */
export const deleteSnapshot = command('snapshots.delete', async (db, of: OfSnapshot): Promise<Snapshot> => {
  const { no, snapshot } = await lockedSnapshot(db, of)
  await db.sql.deleteFrom('snapshots').where('dataset_no', '=', no).where('id', '=', snapshot.id).execute()
  return printSnapshot(db, snapshot)
})
