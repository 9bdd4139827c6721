import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import type { ResponseStatus } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'
import { seqsOf } from './scope.ts'

/** A pending record with leases on it, as one user sees it. */
export type Leased = {
  readonly seq: number
  /** Until when the user has it, if ever. */
  readonly own: Micros | null
  /** Live leases of others. */
  readonly others: number
  readonly submitted: number
  /** Of records that the user has or had; 0 of others. */
  readonly shuffle: number
  /** Whether the user has submitted or discarded it. */
  readonly answered: boolean
  /** Whether the user has a draft of it. */
  readonly drafted: boolean
}
type Row = Omit<Leased, 'submitted' | 'shuffle' | 'answered' | 'drafted'> & {
  readonly shuffle: number | null
  readonly submitted: number | null
  readonly answer: ResponseStatus | null
}

/** So long a lease may be over before its row goes: until then its holder may renew it where its place is still free. */
const KEPT_AFTER = 86_400_000_000

type Viewer = { readonly userId: string; readonly at: Micros }
/** Which records are looked at: those that the user has or had in hand, some, or every one that is leased. */
export type Among = 'own' | 'all' | readonly number[]

const leasesAmong = (db: Db, datasetNo: number, userId: string, among: Among) => {
  const all = sql`dataset_no = ${datasetNo}`
  if (among === 'all') return all
  if (among !== 'own') return sql`${all} and seq in ${db.dialect.listed(among)}`
  return sql`${all} and seq in (select seq from leases where dataset_no = ${datasetNo} and user_id = ${userId})`
}

/**
 * Records of a dataset that are leased. All of them are as many as its annotators have in hand, however large it is, which is
 * much for a large team: who needs few names them. NOTE: subqueries for one value, because they look records up whatever an
 * engine believes to know of its tables.
 */
export const leasedRecords = async (
  db: Db,
  datasetNo: number,
  { userId, at, among }: Viewer & { readonly among: Among },
): Promise<readonly Leased[]> => {
  const { rows } = await sql<Row>`
    select held.seq, held.own, held.others,
      (select submitted from records where dataset_no = ${datasetNo} and seq = held.seq and status = 'pending') as submitted,
      case when held.own is not null then (select shuffle from records where dataset_no = ${datasetNo} and seq = held.seq) end as shuffle,
      (select status from responses where responses.dataset_no = ${datasetNo} and responses.seq = held.seq
        and responses.user_id = ${userId}) as answer
    from (select seq,
        max(case when user_id = ${userId} then until end) as own,
        sum(case when user_id <> ${userId} and until > ${at} then 1 else 0 end) as others
      from leases where ${leasesAmong(db, datasetNo, userId, among)} group by seq) as held
    where held.others > 0 or held.own > ${at}`.execute(db.sql)
  return rows.flatMap(({ answer, ...row }) =>
    row.submitted === null
      ? []
      : [
          {
            ...row,
            submitted: row.submitted,
            shuffle: row.shuffle ?? 0,
            answered: answer !== null && answer !== 'draft',
            drafted: answer === 'draft',
          },
        ],
  )
}

type Takenness = {
  /** How many records cannot be handed to the user because all their answers are there or in others' hands. */
  readonly taken: number
  /** Whether there are leases that nobody will renew. */
  readonly stale: boolean
}

/**
 * Counts what the user has not answered and cannot have. All that a team has in hand is looked at for each who asks, so nothing is looked up of a record
 * without need: live leases lie on pending records only (`responses/leases.ts`), where leases alone are enough it does not matter how often a
 * record was answered, and who has answered none of the pending records has answered none of these. NOTE: cases, because the parts of a condition may
 * be taken in any order; "is null" and not "not exists", which PostgreSQL makes a plan of that reads all answers of the user.
 * @param drafts whether what the user has a draft of counts as not answered
 */
export const countTaken = async (
  db: Db,
  datasetNo: number,
  { userId, at, minSubmitted, drafts }: Viewer & { readonly minSubmitted: number; readonly drafts: boolean },
): Promise<Takenness> => {
  const done = drafts ? sql`and status <> 'draft'` : sql``
  const { rows } = await sql<{ n: number; oldest: Micros | null }>`
    select count(case
        when held.others = 0 or held.own > ${at} then null
        when held.others < ${minSubmitted} and held.others + (select submitted from records
          where dataset_no = ${datasetNo} and seq = held.seq) < ${minSubmitted} then null
        when (select sum(n) from user_counts
          where dataset_no = ${datasetNo} and user_id = ${userId} and record_status = 'pending') > 0 then
          case when (select 1 from responses where responses.dataset_no = ${datasetNo} and responses.seq = held.seq
            and responses.user_id = ${userId} ${done}) is null then 1 end
        else 1 end) as n,
      min(held.oldest) as oldest
    from (select seq, min(until) as oldest,
        max(case when user_id = ${userId} then until end) as own,
        sum(case when user_id <> ${userId} and until > ${at} then 1 else 0 end) as others
      from leases where dataset_no = ${datasetNo} group by seq) as held`.execute(db.sql)
  const { n, oldest } = rows[0] ?? { n: 0, oldest: null }
  return { taken: Number(n), stale: oldest !== null && oldest < at - KEPT_AFTER }
}

/** Whether the user has it in hand now. */
export const isInHand = ({ own }: Pick<Leased, 'own'>, at: Micros): boolean => own !== null && own > at

/** Whether all answers that a record waits for are there or on their way, by others. */
export const isTaken = ({ submitted, others }: Pick<Leased, 'submitted' | 'others'>, minSubmitted: number): boolean =>
  submitted + others >= minSubmitted

/**
 * Those of some records, by id, that the user cannot have: complete, answered by the user, with all their answers in others' hands, or gone.
 * @param drafts whether what the user has a draft of counts as not answered
 */
export const closedAmong = async (
  db: Db,
  datasetNo: number,
  { userId, at, minSubmitted, drafts }: Viewer & { readonly minSubmitted: number; readonly drafts: boolean },
  ids: readonly string[],
): Promise<readonly string[]> => {
  const found = await seqsOf(db, datasetNo, ids)
  if (found.size === 0) return ids
  const among = [...found.values()]
  const seqs = db.dialect.listed(among)
  const done = drafts ? sql`and status <> 'draft'` : sql``
  const { rows } = await sql<{ seq: number }>`
    select seq from records where dataset_no = ${datasetNo} and seq in ${seqs} and status <> 'pending'
    union
    select seq from responses where dataset_no = ${datasetNo} and seq in ${seqs} and user_id = ${userId} ${done}`.execute(db.sql)
  const leased = await leasedRecords(db, datasetNo, { userId, at, among })
  const taken = leased.filter((record) => !isInHand(record, at) && isTaken(record, minSubmitted))
  const closed = new Set([...rows, ...taken].map(({ seq }) => seq))
  return ids.filter((id) => {
    const seq = found.get(id)
    return seq === undefined || closed.has(seq)
  })
}

/** Removes what `stale` tells of. */
export const removeStale = async (db: Db, datasetNo: number, at: Micros): Promise<void> => {
  await db.sql
    .deleteFrom('leases')
    .where('dataset_no', '=', datasetNo)
    .where('until', '<', at - KEPT_AFTER)
    .execute()
}
