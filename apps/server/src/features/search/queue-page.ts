import { sql } from 'kysely'
import { together } from '#platform/db/together.ts'
import type { Atom } from './atoms.ts'
import { type Reach, recordsIn } from './reach.ts'
import type { Page } from './select-page.ts'
import { bucketRankOf, FULLY_SHUFFLED, type Hit, keyOfScore, orderOf, scoreOfKey } from './user-order.ts'

/** Beyond this many records to step over, the sets of all records are the faster way. */
const MOST_SKIPPED = 500
/** The same for own answers to records that are still pending, for somebody whose place is not known. */
const MOST_ANSWERED = 5000
/** How many buckets one query looks into: a few while they are full of work, more where little is left. */
const ROUNDS = [1, 3, 12] as const

/** What annotators ask for all day: pending records that they have not answered, and nothing else. */
export const isQueue = (atoms: readonly Atom[]): boolean =>
  atoms.length === 2 &&
  atoms.some((atom) => atom.kind === 'status' && atom.statuses.length === 1 && atom.statuses[0] === 'pending') &&
  atoms.some((atom) => atom.kind === 'answers' && atom.statuses.length === 1 && atom.statuses[0] === 'pending')

type Open = { readonly seq: number; readonly shuffle: number }

/**
 * The first open records of one bucket, in their order. NOTE: a subquery for one value, because an engine that has no
 * statistics yet turns NOT EXISTS into a join that reads all answers of the user for every record.
 */
const openIn = ({ datasetNo }: Reach, userId: string, bucket: number, limit: number) => sql`
  select * from (select seq, shuffle from records
    where dataset_no = ${datasetNo} and status = 'pending' and shuffle >= ${bucket * 2 ** 24} and shuffle < ${(bucket + 1) * 2 ** 24}
      and (select 1 from responses
        where responses.dataset_no = ${datasetNo} and responses.seq = records.seq and responses.user_id = ${userId}) is null
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

/** How many of a user's buckets are known to have no work left, and when that was seen. */
type Mark = { readonly size: number; readonly reopened: number; readonly done: number }
const marks = new Map<string, Mark>()
const MOST_MARKS = 10_000

/** NOTE: between two looks of the same size and number of reopened records, records only leave a queue. */
const doneBuckets = ({ datasetNo, size, reopened }: Reach, userId: string): number => {
  const mark = marks.get(`${datasetNo} ${userId}`)
  return mark?.size === size && mark.reopened === reopened ? mark.done : 0
}

/** Remembers that the user has nothing to do in so many buckets of theirs. */
const markDone = ({ datasetNo, size, reopened }: Reach, userId: string, done: number): void => {
  const name = `${datasetNo} ${userId}`
  marks.delete(name)
  marks.set(name, { size, reopened, done })
  if (marks.size > MOST_MARKS) marks.delete(marks.keys().next().value ?? '')
}

/** Remembers where the first page of a queue begins that was found in another way. */
export const markFirst = (reach: Reach, userId: string, [first]: readonly Hit[]): void => {
  if (typeof first?.score === 'number') markDone(reach, userId, bucketRankOf(keyOfScore(first.score)))
}

/**
 * A page of the queue by walking the index in the user's order from where work is left, its total from counters; null when
 * that would walk far.
 */
export const queuePage = async (
  reach: Reach,
  userId: string,
  { offset, limit }: Page,
): Promise<{ hits: readonly Hit[]; total: number } | null> => {
  const records = recordsIn(reach)
  if (records <= FULLY_SHUFFLED || offset > MOST_SKIPPED || limit === 0) return null
  const { buckets, keyOf } = orderOf(userId, reach.datasetNo, records)
  const start = doneBuckets(reach, userId)
  const found: Hit[] = []
  let at = start
  let first: number | null = null
  const look = async (count: number, most: number): Promise<void> => {
    const some = buckets.slice(at, at + count)
    at += some.length
    if (some.length === 0) return
    const open = (await openInAny(reach, userId, some, most)).map(({ seq, shuffle }) => ({ seq, key: keyOf(shuffle) }))
    open.sort((a, b) => a.key - b.key || a.seq - b.seq)
    if (open[0] !== undefined) first ??= bucketRankOf(open[0].key)
    for (const { seq, key } of open) found.push({ seq, score: scoreOfKey(key) })
  }
  const [answered] = await together([answeredOf(reach, userId), look(ROUNDS[0], offset + limit)])
  if (answered > MOST_ANSWERED && start === 0) return null
  const total = reach.counts.pending - answered
  const needed = Math.min(offset + limit, total)
  for (let round = 1; found.length < needed && at < buckets.length; round++)
    await look(ROUNDS[Math.min(round, ROUNDS.length - 1)]!, needed - found.length)
  // NOTE: somebody with a later snapshot left the mark, beyond work that this one still sees
  if (found.length < needed && start > 0) return null
  markDone(reach, userId, first ?? (needed > 0 ? at : start))
  return { hits: found.slice(offset, needed), total }
}
