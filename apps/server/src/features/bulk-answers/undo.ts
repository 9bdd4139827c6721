import { forbidden, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { datasetFor } from '#features/datasets/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import type { JobState, ResponseStatus } from '#platform/db/tables.ts'
import type { BulkArgs, Exceptions } from './job.ts'
import { type Item, parsePart } from './parts.ts'
import { bulkPolicy } from './policy.ts'
import { jobsOf } from './queries.ts'

type Stored = Item & { readonly stored: number }
const PARTS_PER_PAGE = 200
const ENDED: readonly JobState[] = ['finished', 'failed', 'stopped', 'canceled']

/**
 * Returns the items in one part of a job for which the job changed an answer. Leaves out items whose answers were already
 * identical to the bulk answer.
 */
const storedIn = (records: string, outcomes: unknown): readonly Stored[] => {
  // The outcomes were written by the job's own step.
  const exceptions = (outcomes ?? {}) as Exceptions
  return parsePart(records).flatMap((item) => {
    const [outcome, , stored = item.version + 1] = exceptions[item.seq] ?? ['stored', null]
    return outcome === 'stored' && stored !== item.version ? [{ ...item, stored }] : []
  })
}

/** The items whose answers were changed by any of the given jobs, with the versions that the jobs stored. */
const storedBy = async (db: Db, jobIds: readonly string[]): Promise<readonly Stored[]> => {
  const found: Stored[] = []
  for (const job_id of jobIds) {
    for (let after = -1; ; ) {
      const parts = await db.sql
        .selectFrom('bulk_answer_parts')
        .select(['part_no', 'records', 'outcomes'])
        .where('job_id', '=', job_id)
        .where('part_no', '>', after)
        .where('outcomes', 'is not', null)
        .orderBy('part_no')
        .limit(PARTS_PER_PAGE)
        .execute()
      for (const { records, outcomes } of parts) found.push(...storedIn(records, outcomes))
      const last = parts.at(-1)
      if (last === undefined) break
      after = last.part_no
    }
  }
  return found
}

export type UndoArgs = { readonly status: ResponseStatus; readonly items: readonly Item[] }

/**
 * The records whose answers were stored by one of the caller's jobs and haven't been undone by another job. For each record,
 * includes the versions of the answer before and after the job. A running job must be stopped first.
 * @throws Problem not_found, forbidden, unprocessable when there is nothing to undo
 */
export const undoneItems = query(
  'bulk-answers.undone',
  async (db, args: { readonly user: Actor; readonly dataset_id: string; readonly job_id: string }): Promise<UndoArgs> => {
    const { user, dataset_id, job_id } = args
    const dataset = await datasetFor(db, dataset_id, user)
    if (!bulkPolicy.undo(user, dataset)) throw forbidden()
    const jobs = await jobsOf(db, dataset.no, user.id).execute()
    const argsOf = (job: (typeof jobs)[number]) => job.args as unknown as BulkArgs
    const isOver = (job: (typeof jobs)[number]) => ENDED.includes(job.state)
    const job = jobs.find(({ id }) => id === job_id)
    if (job === undefined) throw notFound('job', job_id)
    const { status, undoes } = argsOf(job)
    if (undoes !== undefined) throw unprocessable('This job undoes other answers and cannot be undone itself')
    const undoJobs = jobs.filter((one) => argsOf(one).undoes === job_id)
    if (![job, ...undoJobs].every(isOver)) throw unprocessable('The job is still running or is being undone')
    const undoJobIds = undoJobs.map(({ id }) => id)
    const undoneSeqs = new Set((await storedBy(db, undoJobIds)).map(({ seq }) => seq))
    const stored = (await storedBy(db, [job.id])).filter(({ seq }) => !undoneSeqs.has(seq))
    if (stored.length === 0) throw unprocessable('The job has no answers that can be undone')
    return { status, items: stored.map(({ seq, version, stored: now }) => ({ seq, version: now, to: version })) }
  },
)
