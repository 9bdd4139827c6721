import { rebuildGold, removeGoldAfter } from '#features/gold/public.ts'
import { beginTextRebuild } from '#features/jobs/public.ts'
import { loadSchema, rebuildAssignments, rebuildBlocks, rebuildRecordRows, skipSeqs } from '#features/records/public.ts'
import { rebuildCounters, rebuildResponseRows, recomputeStatuses } from '#features/responses/public.ts'
import { contentChanged } from '#platform/db/content-version.ts'
import type { Db } from '#platform/db/db.ts'
import { lockDatasetChanges } from '#platform/db/locks.ts'
import { command } from '#platform/db/operations.ts'
import { enqueueJob, jobKind, startStepTimer } from '#platform/jobs/kinds.ts'

const RECORDS_PER_STEP = 25

const datasetOf = (db: Db, no: number) =>
  db.sql.selectFrom('datasets').select('id').where('no', '=', no).where('gone_at', 'is', null)

/**
 * Recomputes one page of records, after a given `seq`, from their answers, metadata and suggestions. @returns the last record's
 * `seq`; null at the end
 */
const rebuildNext = async (db: Db, no: number, datasetId: string, after: number): Promise<number | null> => {
  // Locks the records, so that changes to their answers and suggestions wait
  const last = await recomputeStatuses(db, no, after, RECORDS_PER_STEP)
  if (last === null) return null
  const records = await db.sql
    .selectFrom('records')
    .select('seq')
    .where('dataset_no', '=', no)
    .where('seq', '>', after)
    .where('seq', '<=', last)
    .execute()
  await rebuildRecordRows(db, no, await loadSchema(db, datasetId), { after, last })
  await rebuildResponseRows(db, no, { after, last, seqs: records.map(({ seq }) => seq) })
  await rebuildGold(db, no, { after, last })
  return last
}

const bySeq = ['record_terms', 'record_numbers', 'response_terms', 'response_numbers', 'agreement_numbers'] as const

/**
 * Deletes rows that refer to records beyond the last one. Moves `next_seq` past the last record, so that the last record's number
 * isn't reused.
 */
const settleEnd = async (db: Db, no: number): Promise<void> => {
  const { last } = await db.sql
    .selectFrom('records')
    .select((eb) => eb.fn.max<number | null>('seq').as('last'))
    .where('dataset_no', '=', no)
    .executeTakeFirstOrThrow()
  for (const table of bySeq) {
    await db.sql
      .deleteFrom(table)
      .where('dataset_no', '=', no)
      .where('seq', '>', last ?? 0)
      .execute()
  }
  await removeGoldAfter(db, no, last ?? 0)
  await skipSeqs(db, no, last ?? 0)
}

/**
 * Recounts in a single step, however long it takes. Writers wait for the dataset's lock, so nothing is counted twice or missed.
 */
const recountAll = async (db: Db, no: number): Promise<void> => {
  await lockDatasetChanges(db, no)
  await settleEnd(db, no)
  await rebuildAssignments(db, no)
  await rebuildBlocks(db, no)
  await rebuildCounters(db, no)
  await contentChanged(db, no)
}

/** Recomputes a dataset's statuses, index rows and counters from its records, suggestions and answers. */
export const rebuildDataset = jobKind('dataset.rebuild', async (db, { dataset_no, args, ms }) => {
  if (dataset_no === null) throw new Error('a rebuild requires a dataset')
  const dataset = await datasetOf(db, dataset_no).executeTakeFirst()
  if (dataset === undefined) return { finished: true }
  const hasTime = startStepTimer(ms)
  let after = Number(args.after_seq ?? -1)
  while (args.counting !== true && hasTime()) {
    const last = await rebuildNext(db, dataset_no, dataset.id, after)
    // Counting is a separate step, so that it doesn't hold the locks that this step has taken.
    if (last === null) return { finished: false, args: { counting: true } }
    after = last
  }
  if (args.counting !== true) return { finished: false, args: { after_seq: after }, done: after }
  await recountAll(db, dataset_no)
  return { finished: true }
})

/** Schedules a rebuild of all data that is derived from a dataset's records and answers. */
export const markForRebuild = command(
  'doctor.mark-for-rebuild',
  async (db, { dataset_no }: { readonly dataset_no: number }): Promise<void> => {
    await beginTextRebuild(db, dataset_no)
    // Without the parts, searches compare all vectors one by one. A later search starts a rebuild of the parts.
    await db.dialect.vectors.dropParts(db.sql, dataset_no)
    await enqueueJob(db, rebuildDataset, { dataset_no })
  },
)
