import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { Micros } from '#platform/time.ts'
import { isUnavailable } from './leased.ts'
import { clockOf } from './scope.ts'

/** A record that is leased to a user. */
export type Grant = { readonly seq: number; readonly until: Micros }

/** The current state of a pending record that the command has locked. */
export type OfferedRecord = {
  readonly seq: number
  /** The state of the user's lease; null if there is none. */
  readonly lease: 'live' | 'over' | null
  /** Whether another answer is needed that isn't leased to anyone else. */
  readonly free: boolean
}

type Place = { readonly datasetNo: number; readonly userId: string; readonly minSubmitted: number }

/**
 * Locks records and reads those that are pending and not answered by the user. Leases must be granted, removed and evaluated
 * only under this lock. Later statements read the clock, leases and answers, so that they see everything that the previous
 * holder of the lock wrote.
 * @param waitForLocks whether to wait for records that others have locked, or to skip them
 */
export const lockOffered = async (
  db: Db,
  { datasetNo, userId, minSubmitted }: Place,
  seqs: readonly number[],
  { waitForLocks }: { readonly waitForLocks: boolean },
): Promise<{ readonly at: Micros; readonly offered: ReadonlyMap<number, OfferedRecord> }> => {
  const among = db.dialect.listed(seqs)
  const records = db.sql
    .selectFrom('records')
    .select(['seq', 'submitted'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', among)
    .where('status', '=', 'pending')
    .orderBy('seq')
  const [locked, leases, answered, at] = await pipeline([
    (waitForLocks ? db.dialect.forUpdate(records) : db.dialect.skipLocked(records)).execute(),
    db.sql
      .selectFrom('leases')
      .select(['seq', 'user_id', 'until'])
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', among)
      .execute(),
    db.sql
      .selectFrom('responses')
      .select('seq')
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', among)
      .where('user_id', '=', userId)
      .where('status', '!=', 'draft')
      .execute(),
    clockOf(db),
  ])
  const leasesOf = Map.groupBy(leases, ({ seq }) => seq)
  const done = new Set(answered.map(({ seq }) => seq))
  const offered = new Map<number, OfferedRecord>()
  for (const { seq, submitted } of locked) {
    if (done.has(seq)) continue
    const all = leasesOf.get(seq) ?? []
    const own = all.find(({ user_id }) => user_id === userId)
    const others = all.filter(({ user_id, until }) => user_id !== userId && until > at).length
    const lease = own === undefined ? null : own.until > at ? 'live' : 'over'
    offered.set(seq, { seq, lease, free: !isUnavailable({ submitted, others }, minSubmitted) })
  }
  return { at, offered }
}

/** Grants or extends the user's leases, until a given time, on records locked by `lockOffered`. */
export const grant = async (
  db: Db,
  { datasetNo, userId }: Place,
  seqs: readonly number[],
  until: Micros,
): Promise<readonly Grant[]> => {
  if (seqs.length === 0) return []
  const rows = seqs.map((seq) => ({ dataset_no: datasetNo, seq, user_id: userId, until }))
  await db.sql
    .insertInto('leases')
    .values(rows)
    .onConflict((c) => c.columns(['dataset_no', 'seq', 'user_id']).doUpdateSet((eb) => ({ until: eb.ref('excluded.until') })))
    .execute()
  return seqs.map((seq) => ({ seq, until }))
}
