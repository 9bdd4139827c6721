import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import { bucketRankOf, FULLY_SHUFFLED, orderOf, placeColumn, type QueueOrder } from '../order/user-order.ts'
import { recordCount, type SearchContext } from '../search-context.ts'

/**
 * A walk from the beginning of the queue also reads the pending records that the user has answered. If there are more of them
 * than this, it would take too long.
 */
const MAX_ANSWERED = 5000
/** Number of buckets per query. The first query reads one bucket. If more open records are needed, later queries read more. */
const BUCKETS_PER_ROUND = [1, 3, 12] as const

/** The snapshot of a dataset's records and counters that a walk needs. */
export type QueueContext = Pick<SearchContext, 'db' | 'datasetNo' | 'size' | 'counts' | 'reopened'>
/** A record of a queue, with its position in the user's order. */
export type Placed = { readonly seq: number; readonly key: number }

type Open = { readonly seq: number; readonly shuffle: number }

type Bounds = { readonly [bound: `${'from' | 'to'}${number}`]: number }
type InBuckets = Bounds & { readonly datasetNo: number; readonly userId: string; readonly limit: number }

/**
 * Returns the first open records of each bucket, in order within the bucket. Uses a scalar subquery instead of NOT EXISTS.
 * Without statistics, an engine turns NOT EXISTS into a join that reads all of the user's answers for every record.
 */
const openInBuckets = (count: number) =>
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
const byCount = Array.from({ length: Math.max(...BUCKETS_PER_ROUND) + 1 }, (_, count) => openInBuckets(count))

const findOpenInBuckets = ({ db, datasetNo }: QueueContext, userId: string, buckets: readonly number[], limit: number) => {
  const bounds: { [bound: `${'from' | 'to'}${number}`]: number } = {}
  for (const [i, bucket] of buckets.entries()) {
    bounds[`from${i}`] = bucket * 2 ** 24
    bounds[`to${i}`] = (bucket + 1) * 2 ** 24
  }
  return byCount[buckets.length]!(db, { datasetNo, userId, limit, ...bounds })
}

const countAnswered = prepared((db, { datasetNo, userId }: { readonly datasetNo: number; readonly userId: string }) =>
  db.sql
    .selectFrom('user_counts')
    .select((eb) => eb.fn.sum<number | null>('n').as('n'))
    .where('dataset_no', '=', datasetNo)
    .where('user_id', '=', userId)
    .where('record_status', '=', 'pending'),
)

/** Returns the number of pending records that the user has answered. */
const answeredOf = async ({ db, datasetNo }: QueueContext, userId: string): Promise<number> =>
  (await countAnswered(db, { datasetNo, userId }))[0]?.n ?? 0

/**
 * A position in a user's queue before which the user has no open records. `size` and `reopened` describe the dataset when the
 * position was determined. `done` is the position. In the user's shuffled order, it is the number of finished buckets. In
 * insertion order, it is the `seq` below which there are no open records.
 */
type Mark = { readonly size: number; readonly reopened: number; readonly done: number }
const marks = new LRUCache<string, Mark>({ max: 10_000 })
const markName = ({ datasetNo }: QueueContext, { userId, shuffled }: QueueOrder): string => `${datasetNo} ${userId} ${shuffled}`

/**
 * Returns the position before which the user is known to have no open records: `done` of the stored mark. Returns 0 if there is
 * no mark or if it is no longer valid. As long as the dataset's size and `reopened` stay the same, records can only leave a
 * queue, so the mark stays valid. In insertion order, the mark also stays valid if records are added, because new records come
 * last.
 */
const doneOf = (context: QueueContext, order: QueueOrder): number => {
  const mark = marks.get(markName(context, order))
  const isValid = mark?.reopened === context.reopened && (mark.size === context.size || !order.shuffled)
  return isValid ? mark.done : 0
}

/** Sets the mark: the user has no open records before this position. @param key the position in the user's order */
export const markDone = (context: QueueContext, order: QueueOrder, key: number): void => {
  const { size, reopened } = context
  marks.set(markName(context, order), { size, reopened, done: order.shuffled ? bucketRankOf(key) : key })
}

type WalkOptions = {
  /** Number of requested records. */
  readonly count: number
  /** Records that don't count toward `count`. The caller leaves them out. */
  readonly skip?: ReadonlySet<number>
  /** Whether a long walk is allowed. */
  readonly thorough?: boolean
}
type Walk = {
  /**
   * The first open records, in order. Records in `skip` are included, but they don't count toward the number of requested
   * records.
   */
  readonly found: readonly Placed[]
  /** Total number of open records. */
  readonly total: number
}

type WalkedFrom = Walk & {
  /** Whether the walk found the requested number of records, or all open records. */
  readonly complete: boolean
  /** The position at which the walk ended. */
  readonly end: number
}

type InsertedFrom = { readonly datasetNo: number; readonly userId: string; readonly start: number; readonly limit: number }
/** Returns the first open records in insertion order. */
const openInserted = prepared((db, of: InsertedFrom) => {
  const open = sql<{ seq: number }>`select seq from records
    where dataset_no = ${of.datasetNo} and status = 'pending' and seq >= ${of.start}
      and (select 1 from responses
        where responses.dataset_no = ${of.datasetNo} and responses.seq = records.seq and responses.user_id = ${of.userId}) is null
    order by seq limit ${of.limit}`
  return { compile: () => open.compile(db.sql) }
})

/**
 * Walks in insertion order. The walk passes all records that the user has answered, so it is short only if the user has answered
 * few records.
 */
const walkInserted = async (
  context: QueueContext,
  { userId }: QueueOrder,
  { count, skip, thorough }: WalkOptions,
  start: number,
): Promise<WalkedFrom | null> => {
  const { db, datasetNo } = context
  const answered = await answeredOf(context, userId)
  if (answered > MAX_ANSWERED && start === 0 && thorough !== true) return null
  const rows = await openInserted(db, { datasetNo, userId, start, limit: count + (skip?.size ?? 0) })
  const found = rows.map(({ seq }) => ({ seq, key: seq }))
  const free = skip === undefined ? found.length : found.filter(({ seq }) => !skip.has(seq)).length
  const total = context.counts.pending - answered
  return { found, total, complete: free >= count || found.length >= total, end: context.size }
}

const walkShuffled = async (
  context: QueueContext,
  order: QueueOrder,
  { count, skip, thorough }: WalkOptions,
  start: number,
): Promise<WalkedFrom | null> => {
  const { userId } = order
  const { buckets, keyOf } = orderOf(order, context.datasetNo, recordCount(context))
  const found: Placed[] = []
  let missing = count
  let at = start
  const scanNextBuckets = async (round: number): Promise<void> => {
    const some = buckets.slice(at, at + BUCKETS_PER_ROUND[Math.min(round, BUCKETS_PER_ROUND.length - 1)]!)
    at += some.length
    if (some.length === 0) return
    const rows = await findOpenInBuckets(context, userId, some, missing + (skip?.size ?? 0))
    const open = rows.map(({ seq, shuffle }) => ({ seq, key: keyOf(shuffle) })).sort((a, b) => a.key - b.key || a.seq - b.seq)
    found.push(...open)
    missing -= skip === undefined ? open.length : open.filter(({ seq }) => !skip.has(seq)).length
  }
  const [answered] = await pipeline([answeredOf(context, userId), scanNextBuckets(0)])
  if (answered > MAX_ANSWERED && start === 0 && thorough !== true) return null
  const total = context.counts.pending - answered
  for (let round = 1; missing > 0 && found.length < total && at < buckets.length; round++) await scanNextBuckets(round)
  return { found, total, complete: missing <= 0 || found.length >= total, end: at * 2 ** 24 }
}

/**
 * Walks the index of pending records in the user's order, starting at the first place with open records, and returns the
 * records that the user hasn't answered. For datasets with more than `FULLY_SHUFFLED` records. Null if the walk would be long.
 */
export const walkQueue = async (context: QueueContext, order: QueueOrder, options: WalkOptions): Promise<Walk | null> => {
  const walkFrom = order.shuffled ? walkShuffled : walkInserted
  const start = doneOf(context, order)
  const walk = await walkFrom(context, order, options, start)
  if (walk === null) return null
  const { found, total, end, complete } = walk
  // The walk found fewer open records than it should. The reason is that `start` comes from a thread with a later snapshot. Some
  // records before `start` were closed in that snapshot, but are still open in this one.
  if (!complete && start > 0) return options.thorough === true ? walkFrom(context, order, options, 0) : null
  const [first] = found
  const isWork = Math.min(options.count, total) > 0
  if (first !== undefined || isWork) markDone(context, order, first?.key ?? end)
  return { found, total }
}

/** Returns all open records in the user's order. For small datasets, which are shuffled as a whole. */
const openInSmall = async (context: QueueContext, order: QueueOrder): Promise<readonly Placed[]> => {
  const { datasetNo } = context
  const { userId } = order
  const { keyOf } = orderOf(order, datasetNo, recordCount(context))
  const { rows } =
    await sql<Placed>`select seq, ${sql.ref(placeColumn(order))} as "key" from records where dataset_no = ${datasetNo} and status = 'pending'
    and (select 1 from responses
      where responses.dataset_no = ${datasetNo} and responses.seq = records.seq and responses.user_id = ${userId}) is null`.execute(
      context.db.sql,
    )
  return rows.map(({ seq, key }) => ({ seq, key: keyOf(key) })).sort((a, b) => a.key - b.key || a.seq - b.seq)
}

/**
 * Returns the first pending records that the user hasn't answered, in the user's order.
 * @returns null if the walk would be long and `thorough` isn't set
 */
export const openRecords = async (
  context: QueueContext,
  order: QueueOrder,
  { count, skip, thorough }: Required<WalkOptions>,
): Promise<readonly Placed[] | null> => {
  const small = recordCount(context) <= FULLY_SHUFFLED
  const found = small ? await openInSmall(context, order) : (await walkQueue(context, order, { count, skip, thorough }))?.found
  return found?.filter(({ seq }) => !skip.has(seq)).slice(0, count) ?? null
}
