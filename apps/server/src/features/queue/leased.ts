import { sql } from 'kysely'
import { assignedToOthersOnly } from '#features/assignments/public.ts'
import type { ScopeDataset } from '#features/records/public.ts'
import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { ResponseStatus } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'
import { holdsIn, returnedTo } from './holds.ts'
import { seqsOf } from './scope.ts'
import { othersAnswerAssigned } from './settings.ts'

/**
 * A pending record that at least one person holds, through a lease or a returned answer. The values describe the record from one
 * user's point of view.
 */
type LeasedRecord = {
  readonly seq: number
  /** The end of the user's current or expired hold, if any. */
  readonly own: Micros | null
  /** Number of other users who hold the record. */
  readonly others: number
  /** The number of submitted answers minus the number of answers requested in addition to the minimum. May be negative. */
  readonly submitted: number
  /** The record's `shuffle`, if the record is or was leased to the user; otherwise 0. */
  readonly shuffle: number
  /** Whether the user has submitted or discarded an answer to the record. */
  readonly answered: boolean
  /** Whether the user has a draft for the record. */
  readonly drafted: boolean
  /** Whether the user's answer was sent back to the user for correction. If so, it isn't counted as a draft. */
  readonly returned: boolean
}
type Row = Omit<LeasedRecord, 'submitted' | 'shuffle' | 'answered' | 'drafted' | 'returned'> & {
  readonly shuffle: number | null
  readonly submitted: number | null
  readonly answer: ResponseStatus | 'returned' | null
}

/**
 * How long the row of an expired lease is kept, in microseconds. During this time, its user may renew it if the record still
 * needs an answer that isn't leased to anyone else.
 */
const RETENTION_US = 86_400_000_000

type Viewer = { readonly userId: string; readonly at: Micros }
/** Which leased records to read. `own`: records that are or were leased to the user. `all`: all. An array: only these records. */
type LeaseFilter = 'own' | 'all' | readonly number[]

const holdsAmong = (db: Db, datasetNo: number, userId: string, among: LeaseFilter) => {
  if (among === 'all') return sql`1 = 1`
  if (among !== 'own') return sql`seq in ${db.dialect.listed(among)}`
  return sql`seq in (select seq from (${holdsIn(datasetNo)}) as every where user_id = ${userId})`
}

/**
 * The leased records of a dataset. Their number depends on the number of annotators, not on the dataset's size. Large teams have
 * many leased records, so callers that need only a few records should pass a list of the records that they need. Scalar
 * subqueries make sure that records are looked up by key, regardless of the engine's statistics.
 */
export const leasedRecords = async (
  db: Db,
  datasetNo: number,
  { userId, at, among }: Viewer & { readonly among: LeaseFilter },
): Promise<readonly LeasedRecord[]> => {
  const { rows } = await sql<Row>`
    select held.seq, held.own, held.others,
      (select submitted - extra_answers from records where dataset_no = ${datasetNo} and seq = held.seq and status = 'pending') as submitted,
      case when held.own is not null then (select shuffle from records where dataset_no = ${datasetNo} and seq = held.seq) end as shuffle,
      (select case when returned is not null then 'returned' else status end from responses
        where responses.dataset_no = ${datasetNo} and responses.seq = held.seq and responses.user_id = ${userId}) as answer
    from (select seq,
        max(case when user_id = ${userId} then until end) as own,
        count(distinct case when user_id <> ${userId} and until > ${at} then user_id end) as others
      from (${holdsIn(datasetNo)}) as one where ${holdsAmong(db, datasetNo, userId, among)} group by seq) as held
    where held.others > 0 or held.own > ${at}`.execute(db.sql)
  return rows.flatMap(({ answer, ...row }) =>
    row.submitted === null
      ? []
      : [
          {
            ...row,
            submitted: row.submitted,
            shuffle: row.shuffle ?? 0,
            others: Number(row.others),
            answered: answer === 'submitted' || answer === 'discarded',
            drafted: answer === 'draft',
            returned: answer === 'returned',
          },
        ],
  )
}

/**
 * A condition on the user's answers. A record counts as answered if the user's answer to it meets this condition. Returned
 * answers never meet it.
 * @param drafts whether records with the user's draft are treated as not answered
 */
const doneWith = (drafts: boolean) => (drafts ? sql`and status <> 'draft'` : sql`and returned is null`)

type Unavailability = {
  /**
   * How many records can't be assigned to the user, for one of these reasons:
   * - The record has all its answers.
   * - The missing answers are leased to others.
   */
  readonly unavailable: number
  /** Whether there are leases that nobody will renew. */
  readonly stale: boolean
}

/**
 * Counts the records that the user hasn't answered and can't get. Every request reads all of a team's leases, so the query looks
 * up records and answers only when necessary:
 * - The status of a record isn't read, because live leases exist only on pending records (`responses/leases.ts`).
 * - The number of answers isn't read if the leases alone reach the overlap, unless `hasExtra` is set.
 * - The user's answers aren't read if the user hasn't answered any pending record.
 *
 * The query uses `case` because the parts of a condition may be evaluated in any order. It uses "is null" instead of "not exists"
 * because PostgreSQL plans "not exists" by reading all of the user's answers.
 * @param drafts whether records with the user's draft are treated as not answered
 * @param hasExtra whether there may be pending records for which more answers than the minimum were requested
 */
export const countUnavailable = async (
  db: Db,
  datasetNo: number,
  {
    userId,
    at,
    minSubmitted,
    hasExtra,
    drafts,
  }: Viewer & { readonly minSubmitted: number; readonly hasExtra: boolean; readonly drafts: boolean },
): Promise<Unavailability> => {
  const done = doneWith(drafts)
  const { rows } = await sql<{ n: number; oldest: Micros | null }>`
    select count(case
        when held.others = 0 or held.own > ${at} then null
        when ${hasExtra ? sql`true` : sql`held.others < ${minSubmitted}`} and held.others + (select submitted - extra_answers from records
          where dataset_no = ${datasetNo} and seq = held.seq) < ${minSubmitted} then null
        when (select sum(n) from user_counts
          where dataset_no = ${datasetNo} and user_id = ${userId} and record_status = 'pending') > 0 then
          case when (select 1 from responses where responses.dataset_no = ${datasetNo} and responses.seq = held.seq
            and responses.user_id = ${userId} ${done}) is null then 1 end
        else 1 end) as n,
      min(held.oldest) as oldest
    from (select seq, min(until) as oldest,
        max(case when user_id = ${userId} then until end) as own,
        count(distinct case when user_id <> ${userId} and until > ${at} then user_id end) as others
      from (${holdsIn(datasetNo)}) as one group by seq) as held`.execute(db.sql)
  const { n, oldest } = rows[0] ?? { n: 0, oldest: null }
  return { unavailable: Number(n), stale: oldest !== null && oldest < at - RETENTION_US }
}

/** Whether the user has a live lease on the record. */
export const isHeldByViewer = ({ own }: Pick<LeasedRecord, 'own'>, at: Micros): boolean => own !== null && own > at

/** Whether the submitted answers and other users' leases together reach the number of answers that the record needs. */
export const isUnavailable = ({ submitted, others }: Pick<LeasedRecord, 'submitted' | 'others'>, minSubmitted: number): boolean =>
  submitted + others >= minSubmitted

/**
 * Returns the IDs of the given records that the user can't get:
 * - records that are deleted
 * - completed records, except test items that the queue assigns to the user
 * - records that the user has answered, unless the answer was returned to the user
 * - records whose missing answers are all leased to others
 * - records that are assigned only to others, unless the settings let anyone answer them
 * @param drafts whether records with the user's draft are treated as not answered
 */
export const closedRecords = async (
  db: Db,
  dataset: Pick<ScopeDataset, 'id' | 'no' | 'queue'>,
  {
    userId,
    at,
    minSubmitted,
    drafts,
    tests,
  }: Viewer & {
    readonly minSubmitted: number
    readonly drafts: boolean
    /** The test items that the queue assigns to the user. */
    readonly tests: readonly number[]
  },
  ids: readonly string[],
): Promise<readonly string[]> => {
  const { no: datasetNo } = dataset
  const found = await seqsOf(db, datasetNo, ids)
  if (found.size === 0) return ids
  const among = [...found.values()]
  const seqs = db.dialect.listed(among)
  const { rows } = await sql<{ seq: number }>`
    select seq from records where dataset_no = ${datasetNo} and seq in ${seqs} and status <> 'pending'
    union
    select seq from responses where dataset_no = ${datasetNo} and seq in ${seqs} and user_id = ${userId} ${doneWith(drafts)}`.execute(
    db.sql,
  )
  const [leased, returned] = await pipeline([
    leasedRecords(db, datasetNo, { userId, at, among }),
    returnedTo(db, datasetNo, userId),
  ])
  const unavailable = leased.filter((record) => !isHeldByViewer(record, at) && isUnavailable(record, minSubmitted))
  const held = new Set(leased.filter((record) => isHeldByViewer(record, at)).map(({ seq }) => seq))
  const assignable = othersAnswerAssigned(dataset) ? [] : among.filter((seq) => !held.has(seq))
  const assignedToOthers = await assignedToOthersOnly(db, datasetNo, userId, assignable)
  const closed = new Set([...[...rows, ...unavailable].map(({ seq }) => seq), ...assignedToOthers])
  for (const { seq } of returned) closed.delete(seq)
  for (const seq of tests) closed.delete(seq)
  return ids.filter((id) => {
    const seq = found.get(id)
    return seq === undefined || closed.has(seq)
  })
}

/** Deletes the leases that `stale` reports. */
export const removeStaleRows = async (db: Db, datasetNo: number, at: Micros): Promise<void> => {
  await db.sql
    .deleteFrom('leases')
    .where('dataset_no', '=', datasetNo)
    .where('until', '<', at - RETENTION_US)
    .execute()
}
