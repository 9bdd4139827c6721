import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import type { ResponseStatus } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'

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
  readonly oldest: Micros
}

/** So long a lease may be over before its row goes: until then its holder may renew it where its place is still free. */
const KEPT_AFTER = 86_400_000_000

export type LeasedRecords = {
  readonly at: Micros
  readonly records: readonly Leased[]
  /** Whether there are rows that nobody will renew. */
  readonly stale: boolean
}

/**
 * Every record of a dataset that is leased: as many as its annotators have in hand, however large it is. NOTE: subqueries for
 * one value, because they look records up whatever an engine believes to know of its tables.
 */
export const leasedRecords = async (
  db: Db,
  datasetNo: number,
  { userId, at }: { readonly userId: string; readonly at: Micros },
): Promise<LeasedRecords> => {
  const { rows } = await sql<Row>`
    select held.seq, held.own, held.others, held.oldest,
      (select submitted from records where dataset_no = ${datasetNo} and seq = held.seq and status = 'pending') as submitted,
      case when held.own is not null then (select shuffle from records where dataset_no = ${datasetNo} and seq = held.seq) end as shuffle,
      (select status from responses where responses.dataset_no = ${datasetNo} and responses.seq = held.seq
        and responses.user_id = ${userId}) as answer
    from (select seq, min(until) as oldest,
        max(case when user_id = ${userId} then until end) as own,
        sum(case when user_id <> ${userId} and until > ${at} then 1 else 0 end) as others
      from leases where dataset_no = ${datasetNo} group by seq) as held
    where held.others > 0 or held.own > ${at} or held.oldest < ${at - KEPT_AFTER}`.execute(db.sql)
  return {
    at,
    records: rows.flatMap(({ oldest: _, submitted, shuffle, answer, ...row }) =>
      submitted === null
        ? []
        : [
            {
              ...row,
              submitted,
              shuffle: shuffle ?? 0,
              answered: answer !== null && answer !== 'draft',
              drafted: answer === 'draft',
            },
          ],
    ),
    stale: rows.some(({ oldest }) => oldest < at - KEPT_AFTER),
  }
}

/** Whether all answers that a record waits for are there or on their way, by others. */
export const isTaken = ({ submitted, others }: Pick<Leased, 'submitted' | 'others'>, minSubmitted: number): boolean =>
  submitted + others >= minSubmitted

/** Removes what `stale` tells of. */
export const removeStale = async (db: Db, datasetNo: number, at: Micros): Promise<void> => {
  await db.sql
    .deleteFrom('leases')
    .where('dataset_no', '=', datasetNo)
    .where('until', '<', at - KEPT_AFTER)
    .execute()
}
