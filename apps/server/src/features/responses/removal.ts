import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { RecordStatus } from '#platform/db/tables.ts'
import { enqueueJob, jobKind, startStepTimer } from '#platform/jobs/kinds.ts'
import { now } from '#platform/time.ts'
import { slotOf, writeTally } from './counters/counts.ts'
import type { StatusInput } from './counters/settle.ts'
import { settleRecords } from './counters/settle.ts'
import { recordStatus, submittedDelta, Tally } from './counters/tally.ts'
import { insertTombstones, storeVersions } from './history.ts'
import { deleteIndexRows } from './index-rows.ts'
import { responseColumns } from './rows.ts'

/**
 * Removes the answers to records that are being deleted, and updates their history, tombstones and authors' counters. The
 * caller updates the records' own rows and their part of `dataset_counts`. Must be called late, after locking the records,
 * because it ends by writing counters.
 */
export const removeResponsesOfRecords = async (
  db: Db,
  {
    dataset_no,
    records,
    actor,
  }: {
    readonly dataset_no: number
    readonly records: readonly { readonly seq: number; readonly status: RecordStatus }[]
    readonly actor: string
  },
): Promise<void> => {
  const seqs = records.map(({ seq }) => seq)
  if (seqs.length === 0) return
  const rows = await db.sql
    .selectFrom('responses')
    .select(['seq', ...responseColumns])
    .where('dataset_no', '=', dataset_no)
    .where('seq', 'in', seqs)
    .execute()
  if (rows.length === 0) return
  const at = now()
  const deleted = rows.map(({ seq, ...before }) => ({ dataset_no, seq, before, action: 'delete' as const }))
  await storeVersions(db, deleted, actor, at)
  await insertTombstones(db, deleted, at)
  await deleteIndexRows(db, dataset_no, seqs)
  await db.sql.deleteFrom('responses').where('dataset_no', '=', dataset_no).where('seq', 'in', seqs).execute()
  const statuses = new Map(records.map(({ seq, status }) => [seq, status]))
  const tally = new Tally()
  for (const { seq, before } of deleted) tally.addAnswer(before, statuses.get(seq) ?? 'pending', -1)
  await writeTally(db, dataset_no, slotOf(actor), tally)
}

const RECORDS_PER_BATCH = 100

type LockedRecord = { readonly seq: number; readonly status: RecordStatus; readonly submitted: number }

/** Locks and returns the records that the user answered, in `seq` order. */
const answeredBy = async (db: Db, datasetNo: number, userId: string): Promise<readonly LockedRecord[]> =>
  db.dialect
    .forUpdate(
      db.sql
        .selectFrom('records')
        .select(['seq', 'status', 'submitted'])
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

type RemovalArgs = {
  readonly dataset: { readonly no: number; readonly min_submitted: number }
  /** Locked by the caller, in `seq` order. */
  readonly records: readonly LockedRecord[]
  readonly userId: string
  /** The user who removes the answers; null if that user has already been deleted. */
  readonly actor: string | null
  /** Collects counter changes. The caller must write the tally late in its command. */
  readonly tally: Tally
}

/**
 * Removes one user's answers to some records, and updates statuses, history and tombstones. @returns the answers, and the
 * records' statuses, by `seq`
 */
export const removeAnswers = async (db: Db, { dataset, records, userId, actor, tally }: RemovalArgs) => {
  const { no: datasetNo, min_submitted: minSubmitted } = dataset
  const seqs = records.map(({ seq }) => seq)
  const answers =
    seqs.length === 0
      ? []
      : await db.sql
          .selectFrom('responses')
          .select(['seq', ...responseColumns])
          .where('dataset_no', '=', datasetNo)
          .where('seq', 'in', seqs)
          .execute()
  const at = now()
  const statusInputs: StatusInput[] = []
  for (const { seq, status, submitted } of records) {
    const before = answers.filter((answer) => answer.seq === seq)
    const after = before.filter(({ user_id }) => user_id !== userId)
    const delta = before
      .filter(({ user_id }) => user_id === userId)
      .reduce((sum, own) => sum + submittedDelta(own.status, null), 0)
    const left = submitted + delta
    const settled = recordStatus(left, minSubmitted)
    tally.addChange({ status, answers: before }, { status: settled, answers: after })
    statusInputs.push({ seq, from: { submitted, status }, to: { submitted: left, status: settled } })
  }
  await settleRecords(db, datasetNo, statusInputs, at)
  const own = answers.filter(({ user_id }) => user_id === userId)
  const deleted = own.map(({ seq, ...before }) => ({ dataset_no: datasetNo, seq, before, action: 'delete' as const }))
  await storeVersions(db, deleted, actor, at)
  await insertTombstones(db, deleted, at)
  for (const table of own.length === 0 ? [] : (['response_terms', 'response_numbers', 'responses'] as const)) {
    await db.sql
      .deleteFrom(table)
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', seqs)
      .where('user_id', '=', userId)
      .execute()
  }
  return {
    removed: new Map(own.map(({ seq, ...answer }) => [seq, answer])),
    statuses: new Map(statusInputs.map(({ seq, to }) => [seq, to])),
  }
}

type Part = Omit<RemovalArgs, 'records' | 'actor'>

/** Removes one batch of a user's answers in a dataset. @returns how many were removed; 0 if none are left */
const removeBatch = async (db: Db, part: Part): Promise<number> => {
  const records = await answeredBy(db, part.dataset.no, part.userId)
  if (records.length === 0) return 0
  const { removed } = await removeAnswers(db, { ...part, records, actor: null })
  return removed.size
}

/** Tables with a user's remaining data, by dataset. */
const afterOthers = ['user_counts', 'dataset_users', 'leases'] as const

/** Returns the first dataset for which a table has rows of the user. As in `find-dataset.ts`, "cross" fixes the join order. */
const firstWith = async (db: Db, table: 'responses' | (typeof afterOthers)[number], userId: string): Promise<number | null> => {
  const { rows } = await sql<{ no: number }>`
    select datasets.no from datasets cross join ${sql.table(table)} as one
    where one.dataset_no = datasets.no and one.user_id = ${userId} and datasets.gone_at is null
    order by datasets.no limit 1`.execute(db.sql)
  return rows[0]?.no ?? null
}

/** Returns a dataset that still has data of the user, and locks its distribution settings against changes. */
const nextDataset = async (db: Db, userId: string): Promise<{ readonly no: number; readonly min_submitted: number } | null> => {
  for (;;) {
    const found = await pipeline((['responses', ...afterOthers] as const).map((table) => firstWith(db, table, userId)))
    const numbers = found.filter((no) => no !== null)
    if (numbers.length === 0) return null
    const dataset = await db.dialect
      .forShare(
        db.sql
          .selectFrom('datasets')
          .select(['no', 'min_submitted'])
          .where('no', '=', Math.min(...numbers))
          .where('gone_at', 'is', null),
      )
      .executeTakeFirst()
    // A dataset that was deleted concurrently isn't found again.
    if (dataset !== undefined) return dataset
  }
}

/**
 * Removes a user's answers in one dataset and recomputes the statuses of their records. A transaction must not change two
 * datasets, so that each dataset can be on its own node.
 * @returns whether no dataset has any more data of the user
 */
const removeUntil = async (db: Db, userId: string, more: () => boolean): Promise<{ finished: boolean; removed: number }> => {
  let removed = 0
  const dataset = await nextDataset(db, userId)
  if (dataset === null) return { finished: true, removed }
  const tally = new Tally()
  let some = -1
  while (some !== 0 && (some < 0 || more())) {
    some = await removeBatch(db, { dataset, userId, tally })
    removed += some
  }
  // Written once, after all records are locked, so that a command that holds a record's lock never waits for these counters.
  await writeTally(db, dataset.no, slotOf(userId), tally)
  if (some !== 0) return { finished: false, removed }
  for (const table of afterOthers) {
    await db.sql.deleteFrom(table).where('dataset_no', '=', dataset.no).where('user_id', '=', userId).execute()
  }
  return { finished: (await nextDataset(db, userId)) === null, removed }
}

const removeRest = jobKind('user.remove-responses', async (db, { args, done }) => {
  const { finished, removed } = await removeUntil(db, String(args.user_id), startStepTimer())
  return { finished, done: done + removed }
})

/**
 * Whether a deleted user's answers are still being removed, or jobs that the user started are still running. If the ID were
 * reused now, the new user would see those answers and lose their own.
 */
export const isBeingRemoved = async (db: Db, userId: string): Promise<boolean> => {
  const underway = await db.sql
    .selectFrom('jobs')
    .select(['user_id', 'args'])
    .where('state', 'in', ['queued', 'scheduled', 'started'])
    .where((eb) => eb.or([eb('kind', '=', removeRest.kind), eb('user_id', '=', userId)]))
    .execute()
  return underway.some(({ user_id, args }) => user_id === userId || args.user_id === userId)
}

/**
 * Removes the answers of a user who is being deleted. Immediately removes the answers in one dataset that fit into one time
 * slice, and the rest in a background job. Also updates records' statuses and all counters. Must be called after deleting the
 * user's row, so that the user can't add any more answers.
 */
export const removeResponsesOfUser = async (db: Db, userId: string): Promise<void> => {
  const { finished } = await removeUntil(db, userId, startStepTimer())
  if (!finished) await enqueueJob(db, removeRest, { args: { user_id: userId } })
}
