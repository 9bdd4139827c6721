import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import type { Micros } from '#platform/time.ts'

/*
 * Where a large team has most of what comes first in hand, each who asks would look at all of it to find what is free. Who hands a record out
 * looks at it again under its lock, so that a picture of it may be a moment old.
 */

type Picture = { readonly madeAt: number; readonly taken: ReadonlySet<number> }

/** So long a picture is better than none, in milliseconds. */
const LASTS = 1000
/** Less than this is looked at anew each time: then what was given back comes to the next who asks in its order. */
const CROWD = 200
/** Datasets of a store of which pictures are kept. */
const MOST = 1000
const pictures = new WeakMap<Db['dialect'], Map<number, Picture>>()

const kept = ({ dialect }: Db): Map<number, Picture> => {
  const known = pictures.get(dialect) ?? new Map<number, Picture>()
  pictures.set(dialect, known)
  return known
}

/** Pending records of which all answers are there or in somebody's hand, as they were a moment ago; null where nobody has looked lately. */
export const recentlyTaken = (db: Db, datasetNo: number): ReadonlySet<number> | null => {
  const picture = kept(db).get(datasetNo)
  return picture !== undefined && performance.now() - picture.madeAt <= LASTS ? picture.taken : null
}

/** The same as it is now. NOTE: a record's answers are looked up only where the leases on it leave that open. */
export const lookAtTaken = async (
  db: Db,
  datasetNo: number,
  { at, minSubmitted }: { readonly at: Micros; readonly minSubmitted: number },
): Promise<ReadonlySet<number>> => {
  const { rows } = await sql<{ seq: number }>`
    select held.seq from (select seq, count(*) as live from leases where dataset_no = ${datasetNo} and until > ${at} group by seq) as held
    where case when held.live >= ${minSubmitted} then 1
      when held.live + (select submitted from records where dataset_no = ${datasetNo} and seq = held.seq) >= ${minSubmitted} then 1
      else 0 end = 1`.execute(db.sql)
  const taken = new Set(rows.map(({ seq }) => seq))
  const all = kept(db)
  if (all.size >= MOST) all.clear()
  if (taken.size >= CROWD) all.set(datasetNo, { madeAt: performance.now(), taken })
  else all.delete(datasetNo)
  return taken
}
