import { notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import type { Db } from '#platform/db/db.ts'
import { UNFINISHED } from '#platform/jobs/states.ts'

/** Maximum number of records per step. Small, so that other writers aren't delayed. */
const PART = 50

/** Stores the records of a job, in parts. @param seqs in ascending order, because records are locked in that order */
export const storeParts = (
  db: Db,
  { job_id, dataset_no, seqs }: { readonly job_id: string; readonly dataset_no: number; readonly seqs: readonly number[] },
): Promise<void> => {
  const parts = Array.from({ length: Math.ceil(seqs.length / PART) }, (_, part_no) => ({
    job_id,
    part_no,
    dataset_no,
    records: seqs.slice(part_no * PART, (part_no + 1) * PART).join(','),
  }))
  return db.dialect.insertMany(db.sql, 'gold_parts', parts)
}

const partRow = (db: Db, jobId: string, part: number) =>
  db.sql.selectFrom('gold_parts').select('records').where('job_id', '=', jobId).where('part_no', '=', part)

const seqsIn = (stored: { readonly records: string } | undefined): readonly number[] | null =>
  stored === undefined ? null : stored.records === '' ? [] : stored.records.split(',').map(Number)

/** The `seq`s of the records in a part, in ascending order. Null after the last part. */
export const recordsOfPart = async (db: Db, jobId: string, part: number): Promise<readonly number[] | null> =>
  seqsIn(await partRow(db, jobId, part).executeTakeFirst())

/** Like `recordsOfPart`, but locks the part until the command ends. */
export const lockRecordsOfPart = async (db: Db, jobId: string, part: number): Promise<readonly number[] | null> =>
  seqsIn(await db.dialect.forUpdate(partRow(db, jobId, part)).executeTakeFirst())

/** Stores which records of a part can still be undone. */
export const setRecordsOfPart = async (db: Db, jobId: string, part: number, seqs: readonly number[]): Promise<void> => {
  await db.sql
    .updateTable('gold_parts')
    .set({ records: seqs.join(',') })
    .where('job_id', '=', jobId)
    .where('part_no', '=', part)
    .execute()
}

/**
 * The number of parts in which at least one record can still be undone. @param end the first part that the job hasn't processed
 */
export const countParts = async (db: Db, jobId: string, end: number): Promise<number> => {
  const { n } = await db.sql
    .selectFrom('gold_parts')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('job_id', '=', jobId)
    .where('part_no', '<', end)
    .where('records', '!=', '')
    .executeTakeFirstOrThrow()
  return Number(n)
}

/**
 * For a job that undoes another job: copies the parts that the other job has processed. @param end the first part that isn't
 * copied
 */
export const copyParts = async (
  db: Db,
  { from, to, end }: { readonly from: string; readonly to: string; readonly end: number },
) => {
  const parts = await db.sql
    .selectFrom('gold_parts')
    .select(['part_no', 'dataset_no', 'records'])
    .where('job_id', '=', from)
    .where('part_no', '<', end)
    .execute()
  await db.dialect.insertMany(
    db.sql,
    'gold_parts',
    parts.map((one) => ({ ...one, job_id: to })),
  )
}

type EndedJob = { readonly job_id: string; readonly dataset_no: number; readonly kinds: readonly string[] }

/** Returns an ended job, so that it can be undone. @throws Problem not_found, unprocessable while the job runs */
export const endedJob = async (db: Db, { job_id, dataset_no, kinds }: EndedJob) => {
  const job = await db.sql
    .selectFrom('jobs')
    .select(['id', 'state', 'args', 'done'])
    .where('id', '=', job_id)
    .where('kind', 'in', kinds)
    .where('dataset_no', '=', dataset_no)
    .executeTakeFirst()
  if (job === undefined) throw notFound('Job', job_id)
  if ((UNFINISHED as readonly string[]).includes(job.state))
    throw unprocessable('The job is still running. Cancel it, or wait until it ends')
  return job
}

/** @throws Problem unprocessable if a job can't be undone because it undoes another job, or because it changed nothing */
export const refuseUndo = ({ isUndo, stored }: { readonly isUndo: boolean; readonly stored: number }): void => {
  if (isUndo) throw unprocessable('This job undoes another job and cannot be undone itself')
  if (stored === 0) throw unprocessable('This job changed no records, so there is nothing to undo')
}
