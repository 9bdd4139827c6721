import { sql } from 'kysely'
import { assignmentsChanged } from '#platform/db/content-version.ts'
import type { Db } from '#platform/db/db.ts'
import { holdDataset, tryHoldDataset } from '#platform/db/locks.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { enqueueJob, jobKind, startStepTimer } from '#platform/jobs/kinds.ts'
import { UNFINISHED } from '#platform/jobs/states.ts'
import { dropAgreement } from './agreement/record-agreement.ts'
import { applyAnswers } from './apply-answers.ts'
import { writeTally } from './counters/counts.ts'
import { Tally } from './counters/tally.ts'
import { loadQuestions, type ScopeQuestion, type ScopeRecord } from './scope.ts'
import { loadAnswers } from './stored-answers.ts'

type RemovalDataset = { readonly no: number; readonly min_submitted: number }

/**
 * Removes the answers to records that are being deleted. The caller updates the records' own rows and their part of
 * `dataset_counts`. Call it near the end of a command, after the records are locked. It writes counters, and every command must
 * write counters last.
 */
export const removeResponsesOfRecords = async (
  db: Db,
  {
    dataset,
    records,
    actor,
  }: { readonly dataset: RemovalDataset; readonly records: readonly ScopeRecord[]; readonly actor: string },
): Promise<void> => {
  const seqs = records.map(({ seq }) => seq)
  const stored = await loadAnswers(db, dataset.no, seqs)
  const changes = records.flatMap((record) =>
    (stored.get(record.seq)?.answered ?? []).map(({ user_id }) => ({ record, author: user_id, after: null })),
  )
  const list = { dataset, questions: [], actor, changes, stored, keepsEqual: false, activity: null, deletesRecords: true }
  await dropAgreement(db, dataset.no, seqs, null)
  await applyAnswers(db, list)
}

const RECORDS_PER_BATCH = 100

/** Locks and returns the records that the user answered, in `seq` order. */
const answeredBy = async (db: Db, datasetNo: number, userId: string): Promise<readonly ScopeRecord[]> =>
  db.dialect
    .forUpdate(
      db.sql
        .selectFrom('records')
        .select(['id', 'seq', 'status', 'submitted', 'extra_answers'])
        .where('dataset_no', '=', datasetNo)
        .where('seq', 'in', (eb) =>
          eb
            .selectFrom('responses')
            .select('responses.seq')
            .where('responses.dataset_no', '=', datasetNo)
            .where('responses.user_id', '=', userId)
            .orderBy('responses.seq')
            .limit(RECORDS_PER_BATCH),
        )
        .orderBy('seq'),
    )
    .execute()

type Part = {
  readonly dataset: RemovalDataset
  readonly questions: readonly ScopeQuestion[]
  readonly userId: string
  /** Collects counter changes. The caller must write them only after all records are locked. */
  readonly tally: Tally
}

/** Removes one batch of a user's answers in a dataset. @returns how many were removed; 0 if none are left */
const removeBatch = async (db: Db, { dataset, questions, userId, tally }: Part): Promise<number> => {
  const records = await answeredBy(db, dataset.no, userId)
  const seqs = records.map(({ seq }) => seq)
  const stored = await loadAnswers(db, dataset.no, seqs)
  const changes = records.map((record) => ({ record, author: userId, after: null }))
  const list = { dataset, questions, actor: null, changes, stored, keepsEqual: false, activity: null, tally }
  const { outcomes } = await applyAnswers(db, list)
  return outcomes.length
}

/** Tables from which a user's rows in a dataset are deleted, after the user's answers have been deleted. */
const afterOthers = [
  'user_counts',
  'dataset_users',
  'leases',
  'assignments',
  'test_items',
  'test_people',
  'seen_versions',
] as const

/**
 * Returns the first dataset in which a table has rows of the user. As in `find-dataset.ts`, `cross join` makes SQLite keep the
 * join order.
 */
const firstWith = async (db: Db, table: 'responses' | (typeof afterOthers)[number], userId: string): Promise<number | null> => {
  const { rows } = await sql<{ no: number }>`
    select datasets.no from datasets cross join ${sql.table(table)} as one
    where one.dataset_no = datasets.no and one.user_id = ${userId} and datasets.gone_at is null
    order by datasets.no limit 1`.execute(db.sql)
  return rows[0]?.no ?? null
}

/** Whether a user has answers to records or to test items. */
export const hasAnswered = async (db: Db, userId: string): Promise<boolean> => {
  const found = await pipeline((['responses', 'test_items'] as const).map((table) => firstWith(db, table, userId)))
  return found.some((no) => no !== null)
}

/** The number of the first dataset that still contains the user's data. */
const nextNo = async (db: Db, userId: string): Promise<number | null> => {
  const found = await pipeline((['responses', ...afterOthers] as const).map((table) => firstWith(db, table, userId)))
  const numbers = found.filter((no) => no !== null)
  return numbers.length === 0 ? null : Math.min(...numbers)
}

/**
 * Locks a dataset until the end of the command. A command that has already locked a user must not wait for this lock. Otherwise,
 * there is a deadlock if another command has locked the dataset and waits for the user.
 * @returns false if the dataset is locked and the command must not wait
 */
type Hold = (db: Db, no: number) => Promise<boolean>
const holdInJob: Hold = async (db, no) => {
  await holdDataset(db, no)
  return true
}

/**
 * Finds a dataset that still contains the user's data, and holds it.
 * @returns the dataset; null if no dataset contains the user's data; `busy` if the dataset can't be held
 */
const nextDataset = async (db: Db, userId: string, hold: Hold): Promise<RemovalDataset | 'busy' | null> => {
  for (;;) {
    const no = await nextNo(db, userId)
    if (no === null) return null
    if (!(await hold(db, no))) return 'busy'
    const dataset = await db.sql
      .selectFrom('datasets')
      .select(['no', 'min_submitted'])
      .where('no', '=', no)
      .where('gone_at', 'is', null)
      .executeTakeFirst()
    // A dataset that was deleted concurrently isn't found again.
    if (dataset !== undefined) return dataset
  }
}

type Removing = { readonly userId: string; readonly hasTime: () => boolean; readonly hold: Hold }

/**
 * Removes a user's answers in one dataset and recomputes the statuses of their records. A transaction must not change two
 * datasets, so that each dataset can be on its own node.
 * @returns the number of removed answers, and whether all of the user's data is now removed from every dataset
 */
const removeUntil = async (
  db: Db,
  { userId, hasTime, hold }: Removing,
): Promise<{ readonly finished: boolean; readonly removed: number }> => {
  let removed = 0
  const dataset = await nextDataset(db, userId, hold)
  if (dataset === null || dataset === 'busy') return { finished: dataset === null, removed }
  const questions = await loadQuestions(db, dataset.no)
  const tally = new Tally()
  let some = -1
  while (some !== 0 && hasTime()) {
    some = await removeBatch(db, { dataset, questions, userId, tally })
    removed += some
  }
  // Writing the tally locks counters. Therefore, it is written once, after all records are locked. Otherwise, another command
  // that has locked one of the records could wait for the counters while this command waits for the record.
  await writeTally(db, dataset.no, userId, tally)
  if (some !== 0) return { finished: false, removed }
  const deleteRows = (table: (typeof afterOthers)[number]) =>
    db.sql.deleteFrom(table).where('dataset_no', '=', dataset.no).where('user_id', '=', userId).executeTakeFirst()
  for (const table of afterOthers) {
    const { numDeletedRows } = await deleteRows(table)
    if (table === 'assignments' && numDeletedRows > 0) await assignmentsChanged(db, dataset.no)
  }
  return { finished: (await nextNo(db, userId)) === null, removed }
}

const removeRest = jobKind('user.remove-responses', async (db, { args, done }) => {
  const { finished, removed } = await removeUntil(db, {
    userId: String(args.user_id),
    hasTime: startStepTimer(),
    hold: holdInJob,
  })
  return { finished, done: done + removed }
})

/** The IDs of deleted users whose data is still being removed by a job. */
export const usersBeingRemoved = async (db: Db): Promise<string[]> => {
  const jobs = await db.sql
    .selectFrom('jobs')
    .select('args')
    .where('state', 'in', UNFINISHED)
    .where('kind', '=', removeRest.kind)
    .execute()
  return jobs.map(({ args }) => String(args.user_id))
}

/**
 * Whether a deleted user's answers are still being removed, or jobs that the user started are still running. If a new user got
 * this ID now, the new user would see the remaining answers, and the removal would also delete the new user's own answers.
 */
export const isBeingRemoved = async (db: Db, userId: string): Promise<boolean> => {
  const started = db.sql.selectFrom('jobs').select('id').where('state', 'in', UNFINISHED).where('user_id', '=', userId).limit(1)
  return (await usersBeingRemoved(db)).includes(userId) || (await started.executeTakeFirst()) !== undefined
}

/**
 * Removes the answers of a user who is being deleted. Immediately removes as many answers of one dataset as fit into one time
 * slice. A background job removes the rest. Also updates records' statuses and all counters. Must be called after deleting the
 * user's row, so that the user can't add any more answers.
 */
export const removeResponsesOfUser = async (db: Db, userId: string): Promise<void> => {
  const { finished } = await removeUntil(db, { userId, hasTime: startStepTimer(), hold: tryHoldDataset })
  if (!finished) await enqueueJob(db, removeRest, { args: { user_id: userId } })
}
