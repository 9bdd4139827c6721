import { forbidden } from '@postil/contract/wire/errors.ts'
import { deletionDelay } from '@postil/contract/wire/limits.ts'
import { datasetScope, recordPolicy } from '#features/records/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { command } from '#platform/db/operations.ts'
import { enqueueJob } from '#platform/jobs/kinds.ts'
import { deleteOldParts } from '#platform/jobs/parts.ts'
import { now } from '#platform/time.ts'
import { type DeletionArgs, deleteRecordsJob, emptyCounts } from './job.ts'

/** Maximum number of records per step. Small, so that other writers aren't delayed. */
const PART = 50
const SECOND = 1_000_000

type StartArgs = {
  readonly user: Actor
  readonly dataset_id: string
  /** In ascending order, because records are locked in that order. */
  readonly seqs: readonly number[]
}

/**
 * Adds a job that deletes records. It waits before it starts, so that it can be canceled.
 * @returns the job's ID. @throws Problem not_found, forbidden, too_many
 */
export const startDeletion = command(
  'record-deletions.start',
  async (db, { user, dataset_id, seqs }: StartArgs): Promise<string> => {
    const dataset = await datasetScope(db, dataset_id, user, { hold: true })
    if (!recordPolicy.delete(user, dataset)) throw forbidden()
    await deleteOldParts(db, 'deletion_parts')
    const args: DeletionArgs = { part: 0, requested_at: now(), deletions: emptyCounts }
    const job_id = await enqueueJob(db, deleteRecordsJob, {
      dataset_no: dataset.no,
      user_id: user.id,
      args,
      total: seqs.length,
      delay: deletionDelay * SECOND,
    })
    const parts = Array.from({ length: Math.ceil(seqs.length / PART) }, (_, part_no) => ({
      job_id,
      part_no,
      dataset_no: dataset.no,
      records: seqs.slice(part_no * PART, (part_no + 1) * PART).join(','),
    }))
    await db.dialect.insertMany(db.sql, 'deletion_parts', parts)
    return job_id
  },
)
