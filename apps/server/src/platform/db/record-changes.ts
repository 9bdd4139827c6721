import { sql } from 'kysely'
import type { Db } from './db.ts'
import { prepared } from './statements/prepared.ts'

/* Searches cache which records match a condition on answers or final answers. A later search evaluates the condition only for
   records that have changed since then. For this purpose, each command that changes answers, final answers or record statuses
   stores a list of the changed records. Such a list is called a change.
   
   Each user belongs to one of 256 slots. Each slot numbers its own changes, so that users of different slots don't wait for each
   other. A command locks the row that contains the slot's last number until it commits. The changes in a slot therefore become
   visible in the order of their numbers. */

/** The number of changes per slot. Slots without changes are left out. */
export type ChangeCounts = ReadonlyMap<number, number>

/** At least this many of the latest changes are kept in each slot. */
const KEPT = 256
/**
 * One in this many changes also deletes older changes. Not every change does so, because each additional statement delays
 * answers.
 */
const CHANGES_PER_DELETION = 32
/** A change lists its records only if there are at most this many. A larger change counts as a change to all records. */
const MAX_LISTED = 100
/** Means all records. No record has this `seq`. */
const ALL = 0

/** Slot 0 is also for changes without a user. */
const slotOf = (userId: string | null): number => (userId === null ? 0 : Number.parseInt(userId.slice(-2), 16))

type Slot = { readonly dataset_no: number; readonly slot: number }

const countChange = prepared((db, { dataset_no, slot }: Slot) =>
  db.sql
    .insertInto('change_counts')
    .values({ dataset_no, slot, last_change: 1 })
    .onConflict((c) =>
      c.columns(['dataset_no', 'slot']).doUpdateSet((eb) => ({ last_change: eb('change_counts.last_change', '+', 1) })),
    ),
)
const countOf = (db: Db, { dataset_no, slot }: Slot) =>
  db.sql.selectFrom('change_counts').where('dataset_no', '=', dataset_no).where('slot', '=', slot)
const listRecord = prepared((db, { seq, dataset_no, slot }: Slot & { readonly seq: number }) =>
  db.sql
    .insertInto('record_changes')
    .columns(['dataset_no', 'slot', 'change', 'seq'])
    .expression(
      countOf(db, { dataset_no, slot }).select([
        'dataset_no',
        'slot',
        'last_change',
        sql<number>`cast(${seq} as bigint)`.as('seq'),
      ]),
    ),
)
const dropOld = prepared((db, slot: Slot) =>
  db.sql
    .deleteFrom('record_changes')
    .where('dataset_no', '=', slot.dataset_no)
    .where('slot', '=', slot.slot)
    .where(
      'change',
      '<=',
      countOf(db, slot).select((eb) => eb('last_change', '-', KEPT).as('oldest')),
    ),
)

/**
 * Adds records to the list of changed records, from which searches update their cached results. Must be the last step of a
 * command, because it locks the row of a counter.
 * @param by the user who makes the change; null if there is none
 * @param seqs the records, or `all`
 * @returns statements for a pipeline
 */
export const listChanges = (
  db: Db,
  datasetNo: number,
  by: string | null,
  seqs: ReadonlySet<number> | 'all',
): readonly Promise<unknown>[] => {
  if (seqs !== 'all' && seqs.size === 0) return []
  const slot = { dataset_no: datasetNo, slot: slotOf(by) }
  const listed = seqs === 'all' || seqs.size > MAX_LISTED ? [ALL] : [...seqs]
  const drops = Math.random() * CHANGES_PER_DELETION < 1
  return [countChange(db, slot), ...listed.map((seq) => listRecord(db, { ...slot, seq })), ...(drops ? [dropOld(db, slot)] : [])]
}

const countsOf = prepared((db, { datasetNo }: { readonly datasetNo: number }) =>
  db.sql.selectFrom('change_counts').select(['slot', 'last_change']).where('dataset_no', '=', datasetNo),
)

export const changeCounts = async (db: Db, datasetNo: number): Promise<ChangeCounts> =>
  new Map((await countsOf(db, { datasetNo })).map(({ slot, last_change }) => [slot, last_change]))

export const sameCounts = (a: ChangeCounts, b: ChangeCounts): boolean =>
  a.size === b.size && [...a].every(([slot, count]) => b.get(slot) === count)

/**
 * Returns the records that have changed between two states.
 * @param limit the maximum number of records
 * @returns null if all records may have changed, if more records have changed than `limit`, if `older` is too old, or if `older`
 * is actually newer than `newer`
 */
export const changedSince = async (
  db: Db,
  datasetNo: number,
  { older, newer, limit }: { readonly older: ChangeCounts; readonly newer: ChangeCounts; readonly limit: number },
): Promise<ReadonlySet<number> | null> => {
  const slots = [...newer].map(([slot, changes]) => ({ slot, to: changes, from: older.get(slot) ?? 0 }))
  if ([...older].some(([slot, changes]) => changes > (newer.get(slot) ?? 0))) return null
  const moved = slots.filter(({ from, to }) => to > from)
  if (moved.some(({ from, to }) => to - from > KEPT)) return null
  if (moved.length === 0) return new Set()
  const rows = await db.sql
    .selectFrom('record_changes')
    .select('seq')
    .distinct()
    .where('dataset_no', '=', datasetNo)
    .where((eb) => eb.or(moved.map(({ slot, from }) => eb.and([eb('slot', '=', slot), eb('change', '>', from)]))))
    .limit(limit + 1)
    .execute()
  const seqs = new Set(rows.map(({ seq }) => seq))
  return seqs.size > limit || seqs.has(ALL) ? null : seqs
}
