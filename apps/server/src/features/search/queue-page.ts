import { sql } from 'kysely'
import type { Atom } from './atoms.ts'
import { type Reach, recordsIn } from './reach.ts'
import type { Page } from './select-page.ts'
import { FULLY_SHUFFLED, type Hit, orderOf, scoreOfKey } from './user-order.ts'

/** Beyond this many records to step over, the sets of all records are the faster way. */
const MOST_SKIPPED = 500
/** The same for own answers to records that are still pending. */
const MOST_ANSWERED = 5000
/** How many buckets one query looks into: a few while they are full of work, more where little is left. */
const ROUNDS = [1, 3, 12] as const

/** What annotators ask for all day: pending records that they have not answered, and nothing else. */
export const isQueue = (atoms: readonly Atom[]): boolean =>
  atoms.length === 2 &&
  atoms.some((atom) => atom.kind === 'status' && atom.statuses.length === 1 && atom.statuses[0] === 'pending') &&
  atoms.some((atom) => atom.kind === 'answers' && atom.statuses.length === 1 && atom.statuses[0] === 'pending')

type Open = { readonly seq: number; readonly shuffle: number }

/** The first open records of one bucket, in their order. */
const openIn = ({ datasetNo }: Reach, userId: string, bucket: number, limit: number) => sql`
  select * from (select seq, shuffle from records
    where dataset_no = ${datasetNo} and status = 'pending' and shuffle >= ${bucket * 2 ** 24} and shuffle < ${(bucket + 1) * 2 ** 24}
      and not exists (select 1 from responses
        where responses.dataset_no = ${datasetNo} and responses.seq = records.seq and responses.user_id = ${userId})
    order by shuffle, seq limit ${limit}) as bucket`

const openInAny = async (reach: Reach, userId: string, buckets: readonly number[], limit: number): Promise<readonly Open[]> => {
  const parts = buckets.map((bucket) => openIn(reach, userId, bucket, limit))
  const { rows } = await sql<Open>`${sql.join(parts, sql` union all `)}`.execute(reach.db.sql)
  return rows
}

/** How many pending records the user has answered. */
const answeredOf = async ({ db, datasetNo }: Reach, userId: string): Promise<number> => {
  const row = await db.sql
    .selectFrom('user_counts')
    .select((eb) => eb.fn.sum<number | null>('n').as('n'))
    .where('dataset_no', '=', datasetNo)
    .where('user_id', '=', userId)
    .where('record_status', '=', 'pending')
    .executeTakeFirst()
  return row?.n ?? 0
}

/**
 * A page of the queue by walking the index in the user's order, its total from counters; null when that would walk far.
 */
export const queuePage = async (
  reach: Reach,
  userId: string,
  { offset, limit }: Page,
): Promise<{ hits: readonly Hit[]; total: number } | null> => {
  const records = recordsIn(reach)
  if (records <= FULLY_SHUFFLED || offset > MOST_SKIPPED) return null
  const answered = await answeredOf(reach, userId)
  if (answered > MOST_ANSWERED) return null
  const { buckets, keyOf } = orderOf(userId, reach.datasetNo, records)
  const total = reach.counts.pending - answered
  const needed = Math.min(offset + limit, total)
  const found: Hit[] = []
  for (let at = 0, round = 0; found.length < needed && at < buckets.length; round++) {
    const some = buckets.slice(at, at + ROUNDS[Math.min(round, ROUNDS.length - 1)]!)
    at += some.length
    const open = (await openInAny(reach, userId, some, needed - found.length)).map(({ seq, shuffle }) => ({
      seq,
      key: keyOf(shuffle),
    }))
    open.sort((a, b) => a.key - b.key || a.seq - b.seq)
    for (const { seq, key } of open) found.push({ seq, score: scoreOfKey(key) })
  }
  return { hits: found.slice(offset, needed), total }
}
