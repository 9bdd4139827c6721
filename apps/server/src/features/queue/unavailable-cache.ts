import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '#platform/db/db.ts'
import type { Micros } from '#platform/time.ts'
import { holdsIn } from './holds.ts'

/* In a large team, most of the first records are leased, and every request would read all of them to find free ones. A command
   that assigns a record checks it again under its lock, so a slightly stale snapshot is enough. */

/** How long a snapshot is used, in milliseconds. */
const TTL_MS = 1000
/**
 * If fewer records than this are unavailable, they aren't cached but read again for each request. A record that has just been
 * released is then assigned to the next user who requests one, according to that user's order.
 */
const MIN_CACHED_RECORDS = 200
/** Maximum number of datasets per store that have a cached snapshot. */
const MAX_DATASETS = 1000
type Unavailable = LRUCache<number, ReadonlySet<number>>
const caches = new WeakMap<Db['dialect'], Unavailable>()

const cacheOf = ({ dialect }: Db): Unavailable => {
  const known = caches.get(dialect) ?? new LRUCache<number, ReadonlySet<number>>({ max: MAX_DATASETS, ttl: TTL_MS })
  caches.set(dialect, known)
  return known
}

/**
 * Returns the pending records that the queue can't assign, because their answers and leases together reach the number of answers
 * that they need. Reads a recent snapshot. Null if there is none.
 */
export const cachedUnavailable = (db: Db, datasetNo: number): ReadonlySet<number> | null => cacheOf(db).get(datasetNo) ?? null

/**
 * Like `cachedUnavailable`, but always reads the records. A record's answers are looked up only if its leases don't already
 * decide the result.
 */
export const loadUnavailable = async (
  db: Db,
  datasetNo: number,
  { at, minSubmitted, hasExtra }: { readonly at: Micros; readonly minSubmitted: number; readonly hasExtra: boolean },
): Promise<ReadonlySet<number>> => {
  const { rows } = await sql<{ seq: number }>`
    select held.seq from (select seq, count(distinct user_id) as live from (${holdsIn(datasetNo)}) as one where until > ${at} group by seq) as held
    where case when ${hasExtra ? sql`false` : sql`held.live >= ${minSubmitted}`} then 1
      when held.live + (select submitted - extra_answers from records where dataset_no = ${datasetNo} and seq = held.seq) >= ${minSubmitted} then 1
      else 0 end = 1`.execute(db.sql)
  const unavailable = new Set(rows.map(({ seq }) => seq))
  const all = cacheOf(db)
  if (unavailable.size >= MIN_CACHED_RECORDS) all.set(datasetNo, unavailable)
  else all.delete(datasetNo)
  return unavailable
}
