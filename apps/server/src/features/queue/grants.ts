import type { Db } from '#platform/db/db.ts'
import { together } from '#platform/db/statements/together.ts'
import type { Micros } from '#platform/time.ts'
import { isTaken } from './leased.ts'
import { clockOf } from './scope.ts'

/** A record in somebody's hand. */
export type Grant = { readonly seq: number; readonly until: Micros }

/** A pending record that the command has locked, as it is now. */
export type Offered = {
  readonly seq: number
  /** Of the user, null when there is none. */
  readonly lease: 'live' | 'over' | null
  /** Whether another answer is needed that nobody else has in hand. */
  readonly free: boolean
}

type Place = { readonly datasetNo: number; readonly userId: string; readonly minSubmitted: number }

/**
 * Locks records and looks at them: those that are pending and that the user has not answered. Leases are given, taken and
 * judged under this lock only. NOTE: clock, leases and answers are read by statements after it, so that they are not older than
 * what the last holder of the lock has done.
 * @param wait whether to wait for records that others have locked, or to leave them out
 */
export const lockOffered = async (
  db: Db,
  { datasetNo, userId, minSubmitted }: Place,
  seqs: readonly number[],
  { wait }: { readonly wait: boolean },
): Promise<{ readonly at: Micros; readonly offered: ReadonlyMap<number, Offered> }> => {
  const among = db.dialect.listed(seqs)
  const records = db.sql
    .selectFrom('records')
    .select(['seq', 'submitted'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', among)
    .where('status', '=', 'pending')
    .orderBy('seq')
  const [locked, leases, answered, at] = await together([
    (wait ? db.dialect.forUpdate(records) : db.dialect.skipLocked(records)).execute(),
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
  const offered = new Map<number, Offered>()
  for (const { seq, submitted } of locked) {
    if (done.has(seq)) continue
    const all = leasesOf.get(seq) ?? []
    const own = all.find(({ user_id }) => user_id === userId)
    const others = all.filter(({ user_id, until }) => user_id !== userId && until > at).length
    const lease = own === undefined ? null : own.until > at ? 'live' : 'over'
    offered.set(seq, { seq, lease, free: !isTaken({ submitted, others }, minSubmitted) })
  }
  return { at, offered }
}

/** Gives records that `lockOffered` has locked into the user's hand, or leaves them there, until then. */
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
