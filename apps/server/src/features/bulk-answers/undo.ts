import { forbidden, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { datasetFor } from '#features/datasets/service.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import type { JobState, ResponseStatus } from '#platform/db/tables.ts'
import type { BulkArgs, Exceptions } from './job.ts'
import { type Item, parsePart } from './parts.ts'
import { type Actor, bulkPolicy } from './policy.ts'
import { jobsOf } from './queries.ts'

type Stored = Item & { readonly stored: number }
const PARTS_AT_ONCE = 200
const over: readonly JobState[] = ['finished', 'failed', 'stopped', 'canceled']

/** What a part stored. What stood already as it was given is nothing of it. */
const storedIn = (records: string, outcomes: unknown): readonly Stored[] => {
  // Outcomes were made by the job's own step.
  const exceptions = (outcomes ?? {}) as Exceptions
  return parsePart(records).flatMap((item) => {
    const [outcome, , stored = item.version + 1] = exceptions[item.seq] ?? ['stored', null]
    return outcome === 'stored' && stored !== item.version ? [{ ...item, stored }] : []
  })
}

/** What jobs stored: the items, with the versions of what was stored. */
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
        .limit(PARTS_AT_ONCE)
        .execute()
      for (const { records, outcomes } of parts) found.push(...storedIn(records, outcomes))
      const last = parts.at(-1)
      if (last === undefined) break
      after = last.part_no
    }
  }
  return found
}

export type Undone = { readonly status: ResponseStatus; readonly items: readonly Item[] }

/**
 * What a job of the caller's has stored and no other one has taken back: the records, the versions of the answers then and before. One that
 * is not over has to be stopped first.
 * @throws Problem not_found, forbidden, unprocessable where there is nothing to take back
 */
export const undoneItems = query(
  'bulk-answers.undone',
  async (db, args: { readonly user: Actor; readonly dataset_id: string; readonly job_id: string }): Promise<Undone> => {
    const { user, dataset_id, job_id } = args
    const dataset = await datasetFor(db, dataset_id, user)
    if (!bulkPolicy.undo(user, dataset)) throw forbidden()
    const jobs = await jobsOf(db, dataset.no, user.id).execute()
    const argsOf = (job: (typeof jobs)[number]) => job.args as unknown as BulkArgs
    const isOver = (job: (typeof jobs)[number]) => over.includes(job.state)
    const job = jobs.find(({ id }) => id === job_id)
    if (job === undefined) throw notFound('job', job_id)
    const { status, undoes } = argsOf(job)
    if (undoes !== undefined) throw unprocessable('The job takes back answers itself')
    const undoing = jobs.filter((one) => argsOf(one).undoes === job_id)
    if (![job, ...undoing].every(isOver)) throw unprocessable('The job is not over, or is being taken back')
    const undoingIds = undoing.map(({ id }) => id)
    const taken = new Set((await storedBy(db, undoingIds)).map(({ seq }) => seq))
    const stored = (await storedBy(db, [job.id])).filter(({ seq }) => !taken.has(seq))
    if (stored.length === 0) throw unprocessable('The job has no answers that can be taken back')
    return { status, items: stored.map(({ seq, version, stored: now }) => ({ seq, version: now, to: version })) }
  },
)
