import type { BulkAnswerJob, RecordOutcome } from '@postil/contract/bulk-answers.ts'
import type { SearchBody } from '@postil/contract/search.ts'
import { forbidden, notFound } from '@postil/contract/wire/errors.ts'
import { datasetFor } from '#features/datasets/public.ts'
import { printJob } from '#features/jobs/public.ts'
import { findOwn } from '#features/search/public.ts'
import { ownTests } from '#features/test-items/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { printTime } from '#platform/time.ts'
import { type BulkArgs, bulkAnswer, type Exceptions } from './job.ts'
import { type Item, parsePart } from './parts.ts'
import { bulkPolicy } from './policy.ts'

type DatasetArgs = { readonly user: Actor; readonly dataset_id: string }
const SEQS_PER_BATCH = 5000
const MAX_LISTED = 20

const versionsOf = async (
  db: Db,
  datasetNo: number,
  userId: string,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, number>> => {
  const versions = new Map<number, number>()
  for (let from = 0; from < seqs.length; from += SEQS_PER_BATCH) {
    const rows = await db.sql
      .selectFrom('responses')
      .select(['seq', 'version'])
      .where('dataset_no', '=', datasetNo)
      .where('user_id', '=', userId)
      .where('seq', 'in', db.dialect.listed(seqs.slice(from, from + SEQS_PER_BATCH)))
      .execute()
    for (const { seq, version } of rows) versions.set(seq, version)
  }
  return versions
}

/** The versions of the user's answers to test items. The user must not be able to distinguish these answers from others. */
const testVersionsOf = async (db: Db, datasetNo: number, userId: string): Promise<ReadonlyMap<number, number>> =>
  new Map(
    (await ownTests(db, datasetNo, userId)).flatMap(({ seq, status, version }) => (status === null ? [] : [[seq, version]])),
  )

/**
 * The records that match a search, with the versions of the caller's answers, from one snapshot. The search's filters refer to
 * the caller's answers. The records are in ascending order, because they are locked in that order. @throws Problem not_found,
 * forbidden, unprocessable, business
 */
export const matchedItems = query(
  'bulk-answers.matched',
  async (db, { body, limit, ...args }: DatasetArgs & { body: SearchBody; limit: number | null }): Promise<readonly Item[]> => {
    const { dataset, seqs } = await findOwn(db, { ...args, body, limit })
    if (!bulkPolicy.start(args.user, dataset)) throw forbidden()
    return itemsAt(db, dataset.no, args.user.id, seqs)
  },
)

/** The given records in ascending order, with the versions of the user's answers. */
const itemsAt = async (db: Db, datasetNo: number, userId: string, seqs: readonly number[]): Promise<readonly Item[]> => {
  const tests = await testVersionsOf(db, datasetNo, userId)
  const versions = new Map([...tests, ...(await versionsOf(db, datasetNo, userId, seqs))])
  return [...seqs].sort((a, b) => a - b).map((seq) => ({ seq, version: versions.get(seq) ?? 0 }))
}

/**
 * Returns the given records, each with the version of the caller's answer (0 without an answer).
 * @throws Problem not_found, forbidden
 */
export const chosenItems = query(
  'bulk-answers.chosen',
  async (db, { seqs, ...args }: DatasetArgs & { readonly seqs: readonly number[] }): Promise<readonly Item[]> => {
    const dataset = await datasetFor(db, args.dataset_id, args.user)
    if (!bulkPolicy.start(args.user, dataset)) throw forbidden()
    return itemsAt(db, dataset.no, args.user.id, seqs)
  },
)

export const jobsOf = (db: Db, no: number, userId: string) =>
  db.sql
    .selectFrom('jobs')
    .select(['id', 'kind', 'user_id', 'args', 'state', 'done', 'total', 'reason', 'reason_parts', 'inserted_at'])
    .where('kind', '=', bulkAnswer.kind)
    .where('dataset_no', '=', no)
    .where('user_id', '=', userId)

/** The caller's latest jobs in a dataset, newest first. @throws Problem not_found, forbidden */
export const myBulkJobs = query('bulk-answers.list', async (db, { user, dataset_id }: DatasetArgs): Promise<BulkAnswerJob[]> => {
  const dataset = await datasetFor(db, dataset_id, user)
  if (!bulkPolicy.list(user, dataset)) throw forbidden()
  const rows = await jobsOf(db, dataset.no, user.id)
    .orderBy('inserted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute()
  return rows.map(({ inserted_at, ...job }) => ({
    job: printJob(job),
    status: (job.args as unknown as BulkArgs).status,
    undoes: (job.args as unknown as BulkArgs).undoes ?? null,
    inserted_at: printTime(inserted_at),
  }))
})

export type ReportedRecord = {
  /** Null for a deleted record. */
  readonly record_id: string | null
  readonly external_id: string | null
  readonly outcome: RecordOutcome
  readonly reason: string | null
}
export type ReportPage = { readonly rows: readonly ReportedRecord[]; readonly lastPart: number | null }
const PARTS_PER_PAGE = 10

/**
 * The outcomes of some of a job's parts, starting after a given part.
 * @throws Problem not_found, forbidden for another user's job
 */
export const reportAfter = query(
  'bulk-answers.report',
  async (db, { job_id, after, ...args }: DatasetArgs & { job_id: string; after: number }): Promise<ReportPage> => {
    const dataset = await datasetFor(db, args.dataset_id, args.user)
    if (!bulkPolicy.list(args.user, dataset)) throw forbidden()
    const job = await jobsOf(db, dataset.no, args.user.id).where('id', '=', job_id).executeTakeFirst()
    if (job === undefined) throw notFound('job', job_id)
    const parts = await db.sql
      .selectFrom('bulk_answer_parts')
      .select(['part_no', 'records', 'outcomes'])
      .where('job_id', '=', job.id)
      .where('part_no', '>', after)
      .orderBy('part_no')
      .limit(PARTS_PER_PAGE)
      .execute()
    const seqs = parts.flatMap(({ records }) => parsePart(records).map(({ seq }) => seq))
    const named = await namesOf(db, dataset.no, seqs)
    const rows = parts.flatMap(({ records, outcomes }) => {
      // The outcomes were written by the job's own step.
      const exceptions = outcomes as Exceptions | null
      return parsePart(records).map(({ seq }): ReportedRecord => {
        const [outcome, reason] =
          exceptions === null ? ['waiting' as const, null] : (exceptions[seq] ?? ['stored' as const, null])
        return { record_id: null, external_id: null, ...named.get(seq), outcome, reason }
      })
    })
    return { rows, lastPart: parts.at(-1)?.part_no ?? null }
  },
)

type Name = Pick<ReportedRecord, 'record_id' | 'external_id'>

const namesOf = async (db: Db, no: number, seqs: readonly number[]): Promise<ReadonlyMap<number, Name>> => {
  if (seqs.length === 0) return new Map()
  const rows = await db.sql
    .selectFrom('records')
    .select(['seq', 'id', 'external_id'])
    .where('dataset_no', '=', no)
    .where('seq', 'in', db.dialect.listed(seqs))
    .execute()
  return new Map(rows.map(({ seq, id, external_id }) => [seq, { record_id: id, external_id }]))
}
