import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import { jobKind, startStepTimer } from '#platform/jobs/kinds.ts'
import { type VectorIndexState, withoutVectorIndex } from './drop-vector-index.ts'

/** Tables with rows for each record, keyed by `seq`. Some of these rows remain after their record is deleted. */
const bySeq = [
  'record_terms',
  'record_numbers',
  'suggestions',
  'vectors',
  'response_terms',
  'response_numbers',
  'agreement_numbers',
  'responses',
  'response_tombstones',
  'leases',
  'assignments',
  'gold',
  'comments',
  'review_leases',
  'test_items',
  'run_items',
  'record_changes',
  'history',
] as const
/** Tables with few rows per dataset. */
const small = [
  'record_blocks',
  'dataset_counts',
  'dataset_activity',
  'change_counts',
  'dataset_users',
  'user_counts',
  'dataset_state',
  'imports',
  'import_faults',
  'saved_views',
  'schema_versions',
  'seen_versions',
  'snapshots',
  'bulk_answer_parts',
  'assignment_parts',
  'deletion_parts',
  'gold_parts',
  'mentions',
  'test_people',
  'model_runs',
] as const
const settings = ['fields', 'questions', 'metadata_properties', 'vector_settings'] as const

const RECORDS_PER_BATCH = 20
const ROWS_PER_BATCH = 100

type Slice = { readonly datasetNo: number; readonly after: number; readonly last: number }

const nextSeqs = prepared((db, { datasetNo, after }: Omit<Slice, 'last'>) =>
  db.sql
    .selectFrom('records')
    .select('seq')
    .where('dataset_no', '=', datasetNo)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(RECORDS_PER_BATCH),
)

const dropSlices = [...bySeq, 'records' as const].map((table) =>
  prepared((db, { datasetNo, after, last }: Slice) =>
    db.sql.deleteFrom(table).where('dataset_no', '=', datasetNo).where('seq', '>', after).where('seq', '<=', last),
  ),
)

/**
 * Deletes the next records and all rows in their range of `seq`s. The range may include leftover rows of records that were
 * deleted earlier.
 * @param after the `seq` up to which everything has been deleted. The search starts after it, because PostgreSQL keeps deleted
 * entries in its indexes until they are vacuumed
 */
const purgeRecords = async (db: Db, datasetNo: number, after: number): Promise<{ count: number; last: number }> => {
  const rows = await nextSeqs(db, { datasetNo, after })
  const last = rows.at(-1)?.seq
  if (last === undefined) return { count: 0, last: after }
  await pipeline([
    db.dialect.text.purge(db.sql, datasetNo, after + 1, last),
    ...dropSlices.map((drop) => drop(db, { datasetNo, after, last })),
  ])
  return { count: rows.length, last }
}

/** Deletes leftover rows of previously deleted records. */
const purgeSettingRows = async (db: Db, datasetNo: number): Promise<number> => {
  for (const table of bySeq) {
    const rows = await db.sql
      .selectFrom(table)
      .select('seq')
      .where('dataset_no', '=', datasetNo)
      .orderBy('seq')
      .limit(ROWS_PER_BATCH)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) continue
    await db.sql.deleteFrom(table).where('dataset_no', '=', datasetNo).where('seq', '<=', last.seq).execute()
    return rows.length
  }
  return 0
}

/** Deletes a batch of a dataset's token counts. @returns how many were deleted; 0 if there are none left */
export const purgeTokens = async (db: Db, datasetNo: number): Promise<number> => {
  const rows = await db.sql
    .selectFrom('dataset_tokens')
    .select('token')
    .where('dataset_no', '=', datasetNo)
    .orderBy('token')
    .limit(ROWS_PER_BATCH)
    .execute()
  const last = rows.at(-1)
  if (last === undefined) return 0
  await db.sql.deleteFrom('dataset_tokens').where('dataset_no', '=', datasetNo).where('token', '<=', last.token).execute()
  return rows.length
}

const purgeRest = async (db: Db, datasetNo: number): Promise<void> => {
  const dataset = await db.sql.selectFrom('datasets').select('id').where('no', '=', datasetNo).executeTakeFirst()
  for (const table of small) await db.sql.deleteFrom(table).where('dataset_no', '=', datasetNo).execute()
  if (dataset === undefined) return
  for (const table of settings) await db.sql.deleteFrom(table).where('dataset_id', '=', dataset.id).execute()
  await db.sql.deleteFrom('datasets').where('no', '=', datasetNo).execute()
}

/**
 * Removes all rows of a deleted dataset, in steps. The deleting command marks the dataset as deleted and enqueues this job with
 * its `dataset_no`. Events emitted earlier are still delivered.
 */
export const purgeDataset = jobKind(
  'dataset.purge',
  async (db, { dataset_no, args, done, ms }, { isIndexGone }: VectorIndexState) => {
    if (dataset_no === null) throw new Error('a purge requires a dataset')
    const hasTime = startStepTimer(ms)
    let after = Number(args.after_seq ?? -1)
    let purged = 0
    while (hasTime()) {
      const { count, last } = await purgeRecords(db, dataset_no, after)
      after = last
      purged += count
      if (count > 0 || (await purgeSettingRows(db, dataset_no)) > 0 || (await purgeTokens(db, dataset_no)) > 0) continue
      if (!isIndexGone) return { finished: false, args: { after_seq: after }, done: done + purged }
      await purgeRest(db, dataset_no)
      return { finished: true, done: done + purged }
    }
    return { finished: false, args: { after_seq: after }, done: done + purged }
  },
  { ...withoutVectorIndex, gentle: true },
)
