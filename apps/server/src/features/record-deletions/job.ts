import type { DeletionCounts } from '@postil/contract/jobs.ts'
import { message } from '@postil/contract/wire/message.ts'
import { datasetScopeAt, lockRecords, recordPolicy, removeRecords } from '#features/records/public.ts'
import type { Db } from '#platform/db/db.ts'
import { jobKind, type StepOutcome } from '#platform/jobs/kinds.ts'
import { starterOf } from '#platform/jobs/starter.ts'
import type { Micros } from '#platform/time.ts'

export type DeletionArgs = {
  /** The next part to process. */
  readonly part: number
  readonly requested_at: Micros
  readonly deletions: DeletionCounts
}
export const emptyCounts: DeletionCounts = { deleted: 0, kept: 0, gone: 0 }

/**
 * The records for which answers were stored after a given time. The person who requested the deletion has not seen these answers.
 */
const answeredSince = async (
  db: Db,
  datasetNo: number,
  { seqs, since }: { readonly seqs: readonly number[]; readonly since: Micros },
): Promise<ReadonlySet<number>> => {
  const rows = await db.sql
    .selectFrom('responses')
    .select('seq')
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .where('updated_at', '>', since)
    .execute()
  return new Set(rows.map(({ seq }) => seq))
}

/**
 * Deletes the records that were found when the deletion was requested, with their answers. Keeps records that have been answered
 * since then, so that no new answer is lost.
 */
export const deleteRecordsJob = jobKind('records.delete', async (db, job): Promise<StepOutcome> => {
  // The arguments were written by `startDeletion` or by this function.
  const args = job.args as DeletionArgs
  const user = await starterOf(db, job.user_id)
  if (user === null) return { finished: false, failed: message('assignerGone') }
  const dataset = job.dataset_no === null ? null : await datasetScopeAt(db, job.dataset_no, user, { hold: true })
  if (dataset === null) return { finished: false, failed: message('datasetGone') }
  if (!recordPolicy.delete(user, dataset)) return { finished: false, failed: message('deleterForbidden') }
  const part = await db.sql
    .selectFrom('deletion_parts')
    .select('records')
    .where('job_id', '=', job.id)
    .where('part_no', '=', args.part)
    .executeTakeFirst()
  if (part === undefined) return { finished: true }
  const seqs = part.records.split(',').map(Number)
  const records = await lockRecords(db, dataset.no, seqs)
  const answered = await answeredSince(db, dataset.no, { seqs, since: args.requested_at })
  const removed = records.filter(({ seq }) => !answered.has(seq))
  await removeRecords(db, { dataset, actor: user.id, records: removed })
  const { deleted, kept, gone } = args.deletions
  const deletions = {
    deleted: deleted + removed.length,
    kept: kept + records.length - removed.length,
    gone: gone + seqs.length - records.length,
  }
  const done = job.done + seqs.length
  return { finished: done >= (job.total ?? 0), args: { ...args, part: args.part + 1, deletions }, done }
})
