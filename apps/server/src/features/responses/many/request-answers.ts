import { maxExtraAnswers } from '@postil/contract/answer-jobs.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { now } from '#platform/time.ts'
import { writeTally } from '../counters/counts.ts'
import { type StatusInput, settleRecords } from '../counters/settle.ts'
import { emitStatusChanges } from '../counters/statuses.ts'
import { recordStatus, Tally } from '../counters/tally.ts'
import { lockMany } from './lock-many.ts'

type RequestedCounts = {
  /** The records whose number of answers changes. */
  readonly changed: readonly number[]
  /** The number of changed records whose status changes. */
  readonly moved: number
  /**
   * If answers are requested, the number of records that would need too many answers. If a request is withdrawn, the number of
   * records whose request was already withdrawn.
   */
  readonly full: number
  /** The number of records that were deleted. */
  readonly gone: number
}

type Request = {
  readonly user: Actor
  readonly dataset_no: number
  /** In ascending order. */
  readonly seqs: readonly number[]
  /** How many more answers each record needs than before. Negative if a request is withdrawn. */
  readonly more: number
  /** Whether to count only, without changing anything. */
  readonly isDryRun: boolean
}

/**
 * Changes the number of answers that records need in addition to the dataset's minimum. Also updates the statuses of the records
 * and all counters. Completed records become pending if they need more answers. The queue then assigns them to people who haven't
 * answered them. Runs in the caller's transaction. The caller checks permissions. @returns null if the dataset or the user has
 * been deleted
 */
export const requestAnswers = async (
  db: Db,
  { user, dataset_no, seqs, more, isDryRun }: Request,
): Promise<RequestedCounts | null> => {
  const locked = await lockMany(db, { user, dataset_no, items: seqs.map((seq) => ({ seq })) })
  if (locked === null) return null
  const { lockedDataset, records, stored } = locked
  const { min_submitted } = lockedDataset.dataset
  const changes = [...records.values()].flatMap((record) => {
    const extra = record.extra_answers + more
    return extra < 0 || extra > maxExtraAnswers
      ? []
      : [{ record, extra, status: recordStatus(record.submitted, min_submitted, extra) }]
  })
  const moved = changes.filter(({ record, status }) => status !== record.status)
  const counts = {
    changed: changes.map(({ record }) => record.seq),
    moved: moved.length,
    full: records.size - changes.length,
    gone: seqs.length - records.size,
  }
  if (isDryRun || changes.length === 0) return counts
  const at = now()
  const tally = new Tally()
  for (const { record, extra, status } of changes) {
    tally.addChanged(record.seq)
    const answers = status === record.status ? [] : (stored.get(record.seq)?.answered ?? [])
    tally.addChange({ status: record.status, extra: record.extra_answers, answers }, { status, extra, answers })
  }
  const sameExtra = Map.groupBy(changes, ({ extra }) => extra)
  for (const [extra_answers, group] of sameExtra)
    await db.sql
      .updateTable('records')
      .set({ extra_answers })
      .where('dataset_no', '=', dataset_no)
      .where('seq', 'in', db.dialect.listed(group.map(({ record }) => record.seq)))
      .execute()
  const settled = moved.map(
    ({ record, status }): StatusInput => ({
      seq: record.seq,
      from: record,
      to: { submitted: record.submitted, status },
      movesTime: true,
      endsLeases: status === 'completed',
    }),
  )
  await settleRecords(db, dataset_no, settled, at)
  const statuses = moved.map(({ record, status }) => ({ seq: record.seq, status }))
  await emitStatusChanges(db, dataset_no, statuses, at)
  await writeTally(db, dataset_no, user.id, tally)
  return counts
}
