import { sql } from 'kysely'
import { prepared } from '#platform/db/statements/prepared.ts'
import { together } from '#platform/db/statements/together.ts'
import { bucketRankOf, FULLY_SHUFFLED, orderOf } from '../order/user-order.ts'
import { type Reach, recordsIn } from '../reach.ts'

/** For own answers to records that are still pending, of somebody whose place is not known: beyond, the walk is a long one. */
const MOST_ANSWERED = 5000
/** How many buckets one query looks into: a few while they are full of work, more where little is left. */
const ROUNDS = [1, 3, 12] as const

/** What a queue is walked by: a snapshot of a dataset's records and counters. */
export type QueueReach = Pick<Reach, 'db' | 'datasetNo' | 'size' | 'counts' | 'reopened'>
/** A record of a queue, and where it stands in the user's order. */
export type Placed = { readonly seq: number; readonly key: number }

type Open = { readonly seq: number; readonly shuffle: number }

type Bounds = { readonly [bound: `${'from' | 'to'}${number}`]: number }
type InBuckets = Bounds & { readonly datasetNo: number; readonly userId: string; readonly limit: number }

/**
 * The first open records of some buckets, each in their order. NOTE: a subquery for one value, because an engine that has no
 * statistics yet turns NOT EXISTS into a join that reads all answers of the user for every record.
 */
const openInSome = (count: number) =>
  prepared((db, of: InBuckets) => {
    const openIn = (i: number) => sql`
  select * from (select seq, shuffle from records
    where dataset_no = ${of.datasetNo} and status = 'pending' and shuffle >= ${of[`from${i}`]} and shuffle < ${of[`to${i}`]}
      and (select 1 from responses
        where responses.dataset_no = ${of.datasetNo} and responses.seq = records.seq and responses.user_id = ${of.userId}) is null
    order by shuffle, seq limit ${of.limit}) as bucket`
    const all = sql<Open>`${sql.join(
      Array.from({ length: count }, (_, i) => openIn(i)),
      sql` union all `,
    )}`
    return { compile: () => all.compile(db.sql) }
  })
const byCount = Array.from({ length: Math.max(...ROUNDS) + 1 }, (_, count) => openInSome(count))

const openInAny = ({ db, datasetNo }: QueueReach, userId: string, buckets: readonly number[], limit: number) => {
  const bounds: { [bound: `${'from' | 'to'}${number}`]: number } = {}
  for (const [i, bucket] of buckets.entries()) {
    bounds[`from${i}`] = bucket * 2 ** 24
    bounds[`to${i}`] = (bucket + 1) * 2 ** 24
  }
  return byCount[buckets.length]!(db, { datasetNo, userId, limit, ...bounds })
}

const answersCounted = prepared((db, { datasetNo, userId }: { readonly datasetNo: number; readonly userId: string }) =>
  db.sql
    .selectFrom('user_counts')
    .select((eb) => eb.fn.sum<number | null>('n').as('n'))
    .where('dataset_no', '=', datasetNo)
    .where('user_id', '=', userId)
    .where('record_status', '=', 'pending'),
)

/** How many pending records the user has answered. */
const answeredOf = async ({ db, datasetNo }: QueueReach, userId: string): Promise<number> =>
  (await answersCounted(db, { datasetNo, userId }))[0]?.n ?? 0

/** How many of a user's buckets are known to have no work left, and when that was seen. */
type Mark = { readonly size: number; readonly reopened: number; readonly done: number }
const marks = new Map<string, Mark>()
const MOST_MARKS = 10_000

/** NOTE: between two looks of the same size and number of reopened records, records only leave a queue. */
const doneBuckets = ({ datasetNo, size, reopened }: QueueReach, userId: string): number => {
  const mark = marks.get(`${datasetNo} ${userId}`)
  return mark?.size === size && mark.reopened === reopened ? mark.done : 0
}

/** Remembers that the user has nothing to do in so many buckets of theirs. */
export const markDone = ({ datasetNo, size, reopened }: QueueReach, userId: string, done: number): void => {
  const name = `${datasetNo} ${userId}`
  marks.delete(name)
  marks.set(name, { size, reopened, done })
  if (marks.size > MOST_MARKS) marks.delete(marks.keys().next().value ?? '')
}

type Wanted = {
  /** How many records are asked for. */
  readonly count: number
  /** Records that do not count. */
  readonly skip?: ReadonlySet<number>
  /** False: only a walk that is not long. */
  readonly far?: boolean
}
type Walked = {
  /** Open records from the first one on, those of `skip` too; at least as many as are asked for when there are. */
  readonly found: readonly Placed[]
  /** How many open records there are in all. */
  readonly total: number
}

const walkFrom = async (reach: QueueReach, userId: string, { count, skip, far }: Wanted, start: number) => {
  const { buckets, keyOf } = orderOf(userId, reach.datasetNo, recordsIn(reach))
  const found: Placed[] = []
  let missing = count
  let at = start
  const look = async (round: number): Promise<void> => {
    const some = buckets.slice(at, at + ROUNDS[Math.min(round, ROUNDS.length - 1)]!)
    at += some.length
    if (some.length === 0) return
    const rows = await openInAny(reach, userId, some, missing + (skip?.size ?? 0))
    const open = rows.map(({ seq, shuffle }) => ({ seq, key: keyOf(shuffle) })).sort((a, b) => a.key - b.key || a.seq - b.seq)
    found.push(...open)
    missing -= skip === undefined ? open.length : open.filter(({ seq }) => !skip.has(seq)).length
  }
  const [answered] = await together([answeredOf(reach, userId), look(0)])
  if (answered > MOST_ANSWERED && start === 0 && far !== true) return null
  const total = reach.counts.pending - answered
  for (let round = 1; missing > 0 && found.length < total && at < buckets.length; round++) await look(round)
  return { found, total, at, complete: missing <= 0 || found.length >= total }
}

/**
 * Walks the index of pending records in the user's order, from where work is left: the ones that the user has not
 * answered. For datasets with more than `FULLY_SHUFFLED` records; null when it would walk far.
 */
export const walkQueue = async (reach: QueueReach, userId: string, wanted: Wanted): Promise<Walked | null> => {
  const start = doneBuckets(reach, userId)
  const walked = await walkFrom(reach, userId, wanted, start)
  if (walked === null) return null
  const { found, total, at, complete } = walked
  // NOTE: somebody with a later snapshot left the mark, beyond work that this one still sees
  if (!complete && start > 0) return wanted.far === true ? walkFrom(reach, userId, wanted, 0) : null
  const isWork = Math.min(wanted.count, total) > 0
  markDone(reach, userId, found[0] !== undefined ? bucketRankOf(found[0].key) : isWork ? at : start)
  return { found, total }
}

/** All open records of a dataset that is shuffled as a whole, in the user's order. */
const openInSmall = async (reach: QueueReach, userId: string): Promise<readonly Placed[]> => {
  const { datasetNo } = reach
  const { keyOf } = orderOf(userId, datasetNo, recordsIn(reach))
  const { rows } = await sql<Open>`select seq, shuffle from records where dataset_no = ${datasetNo} and status = 'pending'
    and (select 1 from responses
      where responses.dataset_no = ${datasetNo} and responses.seq = records.seq and responses.user_id = ${userId}) is null`.execute(
    reach.db.sql,
  )
  return rows.map(({ seq, shuffle }) => ({ seq, key: keyOf(shuffle) })).sort((a, b) => a.key - b.key || a.seq - b.seq)
}

/**
 * The first pending records without an answer of the user, in the user's order.
 * @returns null when that would walk far, which `far` allows
 */
export const openRecords = async (
  reach: QueueReach,
  userId: string,
  { count, skip, far }: Required<Wanted>,
): Promise<readonly Placed[] | null> => {
  const small = recordsIn(reach) <= FULLY_SHUFFLED
  const found = small ? await openInSmall(reach, userId) : (await walkQueue(reach, userId, { count, skip, far }))?.found
  return found?.filter(({ seq }) => !skip.has(seq)).slice(0, count) ?? null
}
