import { conflict } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { TOKENIZER_VERSION } from '#platform/text/tokens.ts'
import type { DatasetRow } from './rows.ts'

/** Dataset numbers are never reused, because record IDs contain them. */
const nextDatasetNo = async (db: Db): Promise<number> => {
  const { n } = await db.sql
    .updateTable('counters')
    .set((eb) => ({ n: eb('n', '+', 1) }))
    .where('name', '=', 'dataset_no')
    .returning('n')
    .executeTakeFirstOrThrow()
  return n
}

/** Locks the workspace until the command ends. Until then, nobody can delete it or add a dataset whose name is still free. */
export const lockWorkspace = async (db: Db, id: string): Promise<boolean> => {
  const row = await db.dialect.forUpdate(db.sql.selectFrom('workspaces').select('id').where('id', '=', id)).executeTakeFirst()
  return row !== undefined
}

/** @throws Problem conflict */
export const refuseTakenName = async (db: Db, workspaceId: string, name: string): Promise<void> => {
  const taken = await db.sql
    .selectFrom('datasets')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('name', '=', name)
    .where('gone_at', 'is', null)
    .executeTakeFirst()
  if (taken) throw conflict(message('datasetExists', { name, workspace: workspaceId }))
}

export const hasResponses = async (db: Db, datasetNo: number): Promise<boolean> => {
  const row = await db.sql.selectFrom('responses').select('id').where('dataset_no', '=', datasetNo).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Inserts an empty dataset. @returns its number */
export const insertDataset = async (db: Db, dataset: Omit<DatasetRow, 'no' | 'active_at'>): Promise<number> => {
  const no = await nextDatasetNo(db)
  const { metadata, ...row } = dataset
  await db.sql
    .insertInto('datasets')
    .values({ ...row, no, metadata: metadata && json(metadata), gone_at: null, ignores_accents: false, shows_active_time: false })
    .execute()
  await db.sql
    .insertInto('dataset_state')
    .values({
      dataset_no: no,
      next_seq: 1,
      next_no: 1,
      content_version: 0,
      text_version: TOKENIZER_VERSION,
      assignments_version: 0,
    })
    .execute()
  return no
}
