import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { together } from '#platform/db/statements/together.ts'
import type { RecordStatus } from '#platform/db/tables.ts'
import { enqueueJob, jobKind, stepTime } from '#platform/jobs/kinds.ts'
import { now } from '#platform/time.ts'
import { slotOf, writeTally } from './counters/counts.ts'
import type { Settling } from './counters/settle.ts'
import { settleRecords } from './counters/settle.ts'
import { recordStatus, submittedDelta, Tally } from './counters/tally.ts'
import { keepImages, leaveTombstones } from './history.ts'
import { deleteIndexRows } from './index-rows.ts'
import { responseColumns } from './rows.ts'

/**
 * Removes the answers to records that are being deleted: history, tombstones and the counters of their authors. The records' own rows and their
 * part in `dataset_counts` are the caller's. Call it after locking the records, and late: it ends with counters.
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
  await keepImages(db, deleted, actor, at)
  await leaveTombstones(db, deleted, at)
  await deleteIndexRows(db, dataset_no, seqs)
  await db.sql.deleteFrom('responses').where('dataset_no', '=', dataset_no).where('seq', 'in', seqs).execute()
  const statuses = new Map(records.map(({ seq, status }) => [seq, status]))
  const tally = new Tally()
  for (const { seq, before } of deleted) tally.addAnswer(before, statuses.get(seq) ?? 'pending', -1)
  await writeTally(db, dataset_no, slotOf(actor), tally)
}

const RECORDS_AT_ONCE = 100

type HeldRecord = { readonly seq: number; readonly status: RecordStatus; readonly submitted: number }

/** Records that the user answered, locked in the order of `seq`. */
const answeredBy = async (db: Db, datasetNo: number, userId: string): Promise<readonly HeldRecord[]> =>
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
            .limit(RECORDS_AT_ONCE),
        )
        .orderBy('seq'),
    )
    .execute()

type Removal = {
  readonly dataset: { readonly no: number; readonly min_submitted: number }
  /** Locked by the caller, in the order of `seq`. */
  readonly records: readonly HeldRecord[]
  readonly userId: string
  /** Who removes them; null where nobody is left to name. */
  readonly actor: string | null
  /** Takes what counters change by; writing it is the caller's, late. */
  readonly tally: Tally
}

/** Removes one user's answers to some records: statuses, history and tombstones. @returns the answers, and the records' statuses, by `seq` */
export const removeAnswers = async (db: Db, { dataset, records, userId, actor, tally }: Removal) => {
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
  const settling: Settling[] = []
  for (const { seq, status, submitted } of records) {
    const before = answers.filter((answer) => answer.seq === seq)
    const after = before.filter(({ user_id }) => user_id !== userId)
    const delta = before
      .filter(({ user_id }) => user_id === userId)
      .reduce((sum, own) => sum + submittedDelta(own.status, null), 0)
    const left = submitted + delta
    const settled = recordStatus(left, minSubmitted)
    tally.addChange({ status, answers: before }, { status: settled, answers: after })
    settling.push({ seq, from: { submitted, status }, to: { submitted: left, status: settled } })
  }
  await settleRecords(db, datasetNo, settling, at)
  const own = answers.filter(({ user_id }) => user_id === userId)
  const deleted = own.map(({ seq, ...before }) => ({ dataset_no: datasetNo, seq, before, action: 'delete' as const }))
  await keepImages(db, deleted, actor, at)
  await leaveTombstones(db, deleted, at)
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
    statuses: new Map(settling.map(({ seq, to }) => [seq, to])),
  }
}

type Part = Omit<Removal, 'records' | 'actor'>

/** A part of a user's answers in one dataset. @returns how many were removed; 0 when none are left */
const removeSome = async (db: Db, part: Part): Promise<number> => {
  const records = await answeredBy(db, part.dataset.no, part.userId)
  if (records.length === 0) return 0
  const { removed } = await removeAnswers(db, { ...part, records, actor: null })
  return removed.size
}

/** What is kept of a user beside their answers, by dataset. */
const beside = ['user_counts', 'dataset_users', 'leases'] as const

/** The first dataset in which a table has something of the user. NOTE: as in `dataset-of-id.ts`, "cross" keeps the order of the join. */
const firstWith = async (db: Db, table: 'responses' | (typeof beside)[number], userId: string): Promise<number | null> => {
  const { rows } = await sql<{ no: number }>`
    select datasets.no from datasets cross join ${sql.table(table)} as one
    where one.dataset_no = datasets.no and one.user_id = ${userId} and datasets.gone_at is null
    order by datasets.no limit 1`.execute(db.sql)
  return rows[0]?.no ?? null
}

/** A dataset in which something is left of the user, held against changes of its distribution. */
const nextDataset = async (db: Db, userId: string): Promise<{ readonly no: number; readonly min_submitted: number } | null> => {
  for (;;) {
    const found = await together((['responses', ...beside] as const).map((table) => firstWith(db, table, userId)))
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
    // NOTE: one that is deleted meanwhile is found no more
    if (dataset !== undefined) return dataset
  }
}

/**
 * Removes a user's answers in one dataset and recomputes the statuses of their records. NOTE: no transaction changes two datasets, so
 * that each can be on a node of its own.
 * @returns whether nothing is left of the user in any
 */
const removeWhile = async (db: Db, userId: string, more: () => boolean): Promise<{ finished: boolean; removed: number }> => {
  let removed = 0
  const dataset = await nextDataset(db, userId)
  if (dataset === null) return { finished: true, removed }
  const tally = new Tally()
  let some = -1
  while (some !== 0 && (some < 0 || more())) {
    some = await removeSome(db, { dataset, userId, tally })
    removed += some
  }
  // NOTE: once, after all records are locked: who has one of them waits for no counter of these
  await writeTally(db, dataset.no, slotOf(userId), tally)
  if (some !== 0) return { finished: false, removed }
  for (const table of beside) {
    await db.sql.deleteFrom(table).where('dataset_no', '=', dataset.no).where('user_id', '=', userId).execute()
  }
  return { finished: (await nextDataset(db, userId)) === null, removed }
}

const removeRest = jobKind('user.remove-responses', async (db, { args, done }) => {
  const { finished, removed } = await removeWhile(db, String(args.user_id), stepTime())
  return { finished, done: done + removed }
})

/**
 * Whether answers of a user who was deleted are still being removed, or jobs of theirs have not ended: whoever got the id meanwhile would have
 * those answers, and lose their own.
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
 * Removes the answers of a user who is being deleted: as many of one dataset as fit into a moment at once, the rest by a background job. Records' statuses and
 * all counters follow. Call it after deleting the user's row, so that no answer of theirs is still on its way.
 */
export const removeResponsesOfUser = async (db: Db, userId: string): Promise<void> => {
  const { finished } = await removeWhile(db, userId, stepTime())
  if (!finished) await enqueueJob(db, removeRest, { args: { user_id: userId } })
}
