import { sql } from 'kysely'
import { assignedToOthersOnly } from '#features/assignments/public.ts'
import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { Micros } from '#platform/time.ts'
import { holdsIn, NO_END } from './holds.ts'
import { isUnavailable } from './leased.ts'
import { clockOf } from './scope.ts'

/** A record that a user gets, and the end of its lease. `until` is null if the user only views the record, without a lease. */
export type Grant = { readonly seq: number; readonly until: Micros | null }

/** The current state of a pending record that the command has locked. */
type OfferedRecord = {
  readonly seq: number
  /** The state of the user's lease; null if there is none. `live` if a reviewer has returned the record's answer to the user. */
  readonly lease: 'live' | 'over' | null
  /** Whether only a returned answer, and no ordinary lease, reserves the record for the user. */
  readonly isReturned: boolean
  /**
   * Whether the user can get a lease, because the record needs more answers than are submitted or leased to other users. False if
   * the record is assigned only to other people and nobody else may answer it.
   */
  readonly free: boolean
}

type Place = {
  readonly datasetNo: number
  readonly userId: string
  readonly minSubmitted: number
  /** Whether people get records that are assigned only to others. */
  readonly othersAnswerAssigned: boolean
}

/**
 * Locks records and reads those that are pending and not answered by the user. Leases must be granted, removed and evaluated only
 * under this lock. The clock, the leases and the answers are read after the records are locked. These reads therefore see
 * everything that the previous holder of the lock wrote.
 * @param waitForLocks whether to wait for records that others have locked, or to skip them
 */
export const lockOffered = async (
  db: Db,
  { datasetNo, userId, minSubmitted, othersAnswerAssigned }: Place,
  seqs: readonly number[],
  { waitForLocks }: { readonly waitForLocks: boolean },
): Promise<{ readonly at: Micros; readonly offered: ReadonlyMap<number, OfferedRecord> }> => {
  const among = db.dialect.listed(seqs)
  const records = db.sql
    .selectFrom('records')
    .select(['seq', 'submitted', 'extra_answers'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', among)
    .where('status', '=', 'pending')
    .orderBy('seq')
  const [locked, holds, answered, assignedToOthers, at] = await pipeline([
    (waitForLocks ? db.dialect.forUpdate(records) : db.dialect.skipLocked(records)).execute(),
    sql<{ seq: number; user_id: string; until: Micros }>`
      select seq, user_id, until from (${holdsIn(datasetNo)}) as one where seq in ${among}`
      .execute(db.sql)
      .then(({ rows }) => rows),
    db.sql
      .selectFrom('responses')
      .select('seq')
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', among)
      .where('user_id', '=', userId)
      .where('status', '!=', 'draft')
      .execute(),
    othersAnswerAssigned ? new Set<number>() : assignedToOthersOnly(db, datasetNo, userId, seqs),
    clockOf(db),
  ])
  const holdsOf = Map.groupBy(holds, ({ seq }) => seq)
  const done = new Set(answered.map(({ seq }) => seq))
  const offered = new Map<number, OfferedRecord>()
  for (const { seq, submitted, extra_answers } of locked) {
    if (done.has(seq)) continue
    const all = holdsOf.get(seq) ?? []
    const own = all.filter(({ user_id }) => user_id === userId)
    const others = new Set(all.filter(({ user_id, until }) => user_id !== userId && until > at).map(({ user_id }) => user_id))
    const live = own.filter(({ until }) => until > at)
    const lease = live.length > 0 ? 'live' : own.length > 0 ? 'over' : null
    const isReturned = live.length > 0 && live.every(({ until }) => until === NO_END)
    const free =
      !isUnavailable({ submitted: submitted - extra_answers, others: others.size }, minSubmitted) && !assignedToOthers.has(seq)
    offered.set(seq, { seq, lease, isReturned, free })
  }
  return { at, offered }
}

/**
 * Grants leases on records locked by `lockOffered`, or extends the user's existing leases. The leases end at `until`. An existing
 * lease that ends later keeps its end, because another window may have leased the record for longer.
 * @param longest the end of the longest lease that can be granted now. A lease that ends after this time was granted while the
 * clock was wrong, so it is shortened.
 * @returns the ends of the leases
 */
export const grant = async (
  db: Db,
  { datasetNo, userId }: Place,
  seqs: readonly number[],
  { until, longest }: { readonly until: Micros; readonly longest: Micros },
): Promise<readonly Grant[]> => {
  if (seqs.length === 0) return []
  const rows = seqs.map((seq) => ({ dataset_no: datasetNo, seq, user_id: userId, until }))
  const granted = await db.sql
    .insertInto('leases')
    .values(rows)
    .onConflict((c) =>
      c.columns(['dataset_no', 'seq', 'user_id']).doUpdateSet((eb) => ({
        until: eb
          .case()
          .when(eb.between('leases.until', eb.ref('excluded.until'), eb.val(longest)))
          .then(eb.ref('leases.until'))
          .else(eb.ref('excluded.until'))
          .end(),
      })),
    )
    .returning(['seq', 'until'])
    .execute()
  const untils = new Map(granted.map((row) => [row.seq, row.until]))
  return seqs.map((seq) => ({ seq, until: untils.get(seq) ?? until }))
}
