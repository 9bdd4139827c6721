import { conflict, unprocessable } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import type { OriginalRow } from '#platform/original-row.ts'
import type { Micros } from '#platform/time.ts'
import { hasResponses, insertDataset, lockWorkspace, refuseTakenName } from './dataset-store.ts'
import { type DatasetRow, findDataset } from './rows.ts'

/** A dataset from another server. `workspace_id` is the workspace's ID on this server. */
export type AdoptedDataset = OriginalRow &
  Omit<DatasetRow, 'no' | 'active_at' | keyof OriginalRow> & { readonly last_activity_at: Micros }
type AdoptedNo = { readonly no: number; readonly made: boolean }

const NO_USER = '00000000-0000-0000-0000-000000000000'

const touchActivity = (db: Db, no: number, last_activity_at: Micros) =>
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

const upsertDataset = async (db: Db, sent: AdoptedDataset): Promise<number> => {
  const existing = await findDataset(db, sent.id, NO_USER, 'change')
  if (sent.updated_at <= existing.updated_at) return existing.no
  if (sent.name !== existing.name) await refuseTakenName(db, existing.workspace_id, sent.name)
  // Once a dataset has answers, no server allows changes to its distribution settings. The existing value is therefore kept.
  const min_submitted = (await hasResponses(db, existing.no)) ? existing.min_submitted : sent.min_submitted
  const { name, guidelines, allow_extra_metadata, metadata, updated_at } = sent
  const status = existing.status === 'ready' ? existing.status : sent.status
  await db.sql
    .updateTable('datasets')
    .set({ name, guidelines, allow_extra_metadata, status, min_submitted, updated_at })
    .set(jsonEquals(metadata, existing.metadata) ? {} : { metadata: metadata && json(metadata) })
    .where('id', '=', sent.id)
    .execute()
  return existing.no
}

/**
 * Copies a dataset from another server, keeping its ID and times. Updates an existing copy if the other server's version is
 * newer. Runs inside another feature's command.
 * @returns the dataset's number, and whether it was just created
 * @throws Problem conflict when another dataset has its name, unprocessable while a dataset with its ID is being deleted
 */
export const adoptDataset = async (db: Db, sent: AdoptedDataset): Promise<AdoptedNo> => {
  const same = await db.sql.selectFrom('datasets').select('gone_at').where('id', '=', sent.id).executeTakeFirst()
  if (same !== undefined && same.gone_at !== null) {
    throw unprocessable(`Dataset '${sent.name}' was deleted here, and its rows are still being removed. Try again later`)
  }
  if (same !== undefined) {
    const no = await upsertDataset(db, sent)
    await touchActivity(db, no, sent.last_activity_at)
    return { no, made: false }
  }
  if (!(await lockWorkspace(db, sent.workspace_id))) throw conflict(`Workspace with id \`${sent.workspace_id}\` no longer exists`)
  await refuseTakenName(db, sent.workspace_id, sent.name)
  const { last_activity_at, ...row } = sent
  const no = await insertDataset(db, row)
  await touchActivity(db, no, last_activity_at)
  return { no, made: true }
}
