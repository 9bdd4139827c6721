import { conflict, unprocessable } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import type { Kept } from '#platform/kept.ts'
import type { Micros } from '#platform/time.ts'
import { hasResponses, insertDataset, lockWorkspace, refuseTakenName } from './dataset-store.ts'
import { type DatasetRow, findDataset } from './rows.ts'

/** A dataset of another server; `workspace_id` is the one that it has here. */
export type AdoptedDataset = Kept & Omit<DatasetRow, 'no' | 'active_at' | keyof Kept> & { readonly last_activity_at: Micros }
type Standing = { readonly no: number; readonly made: boolean }

const NOBODY = '00000000-0000-0000-0000-000000000000'

const touch = (db: Db, no: number, last_activity_at: Micros) =>
  db.sql
    .insertInto('dataset_activity')
    .values({ dataset_no: no, slot: 0, last_activity_at })
    .onConflict((c) =>
      c
        .columns(['dataset_no', 'slot'])
        .doUpdateSet((eb) => ({ last_activity_at: eb.ref('excluded.last_activity_at') }))
        .whereRef('dataset_activity.last_activity_at', '<', 'excluded.last_activity_at'),
    )
    .execute()

const bringUpToDate = async (db: Db, sent: AdoptedDataset): Promise<number> => {
  const standing = await findDataset(db, sent.id, NOBODY, db.dialect.forUpdate)
  if (sent.updated_at <= standing.updated_at) return standing.no
  if (sent.name !== standing.name) await refuseTakenName(db, standing.workspace_id, sent.name)
  // NOTE: the distribution of a dataset with answers never changes, on no server
  const min_submitted = (await hasResponses(db, standing.no)) ? standing.min_submitted : sent.min_submitted
  const { name, guidelines, allow_extra_metadata, metadata, updated_at } = sent
  const status = standing.status === 'ready' ? standing.status : sent.status
  await db.sql
    .updateTable('datasets')
    .set({ name, guidelines, allow_extra_metadata, status, min_submitted, updated_at })
    .set(jsonEquals(metadata, standing.metadata) ? {} : { metadata: metadata && json(metadata) })
    .where('id', '=', sent.id)
    .execute()
  return standing.no
}

/**
 * Takes in a dataset of another server with its id and times, or what is newer of one that is here, inside another feature's command.
 * @returns its number, and whether it was made now
 * @throws Problem conflict where another dataset has its name, unprocessable while one with its id is being deleted
 */
export const adoptDataset = async (db: Db, sent: AdoptedDataset): Promise<Standing> => {
  const same = await db.sql.selectFrom('datasets').select('gone_at').where('id', '=', sent.id).executeTakeFirst()
  if (same !== undefined && same.gone_at !== null) {
    throw unprocessable(`Dataset '${sent.name}' was deleted here and its rows are still being removed: try again later`)
  }
  if (same !== undefined) {
    const no = await bringUpToDate(db, sent)
    await touch(db, no, sent.last_activity_at)
    return { no, made: false }
  }
  if (!(await lockWorkspace(db, sent.workspace_id))) throw conflict(`Workspace with id \`${sent.workspace_id}\` is gone`)
  await refuseTakenName(db, sent.workspace_id, sent.name)
  const { last_activity_at, ...row } = sent
  const no = await insertDataset(db, row)
  await touch(db, no, last_activity_at)
  return { no, made: true }
}
