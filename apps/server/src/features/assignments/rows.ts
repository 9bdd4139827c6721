import type { Db } from '#platform/db/db.ts'
import type { TableName } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'

const TABLE = 'assignments' satisfies TableName

/** One person's assignment of a record. */
export type Assignment = {
  readonly user_id: string
  readonly due_at: Micros | null
  readonly assigned_by: string | null
  readonly assigned_at: Micros
}
/** The assignments of records, by `seq`. */
export type Assignments = ReadonlyMap<number, readonly Assignment[]>
const columns = ['seq', 'user_id', 'due_at', 'assigned_by', 'assigned_at'] as const

const compareUsers = (a: Assignment, b: Assignment): number => (a.user_id < b.user_id ? -1 : 1)

/** Whether two lists contain the same assignments. */
export const sameAssignments = (one: readonly Assignment[], other: readonly Assignment[]): boolean => {
  const key = (list: readonly Assignment[]): string =>
    JSON.stringify(
      [...list]
        .sort(compareUsers)
        .map(({ user_id, due_at, assigned_by, assigned_at }) => [user_id, due_at, assigned_by, assigned_at]),
    )
  return key(one) === key(other)
}

/** The assignments of some records, by `seq`. Records without assignments are missing from the map. */
export const assignmentsOf = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<Assignments> => {
  if (seqs.length === 0) return new Map()
  const rows = await db.sql
    .selectFrom(TABLE)
    .select(columns)
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .orderBy('seq')
    .orderBy('user_id')
    .execute()
  const found = new Map<number, Assignment[]>()
  for (const { seq, ...assignment } of rows) found.set(seq, [...(found.get(seq) ?? []), assignment])
  return found
}

/**
 * Replaces the assignments of the records in `next`. The caller must hold the records' locks. Assignments that are the same in
 * `before` and `next` aren't written: `removeAssignmentsOf` may have deleted them since `before` was read, and writing them would
 * restore them.
 */
export const replaceAssignments = async (
  db: Db,
  datasetNo: number,
  { before, next }: { readonly before: Assignments; readonly next: Assignments },
): Promise<void> => {
  const removed: { seq: number; user_id: string }[] = []
  const added: (Assignment & { seq: number; dataset_no: number })[] = []
  for (const [seq, later] of next) {
    const earlier = before.get(seq) ?? []
    const isIn = (list: readonly Assignment[], one: Assignment) => list.some((other) => sameAssignments([one], [other]))
    for (const one of earlier) if (!isIn(later, one)) removed.push({ seq, user_id: one.user_id })
    for (const one of later) if (!isIn(earlier, one)) added.push({ dataset_no: datasetNo, seq, ...one })
  }
  for (const [user_id, rows] of Map.groupBy(removed, (row) => row.user_id)) {
    await db.sql
      .deleteFrom(TABLE)
      .where('dataset_no', '=', datasetNo)
      .where('user_id', '=', user_id)
      .where('seq', 'in', db.dialect.listed(rows.map(({ seq }) => seq)))
      .execute()
  }
  if (added.length > 0) await db.dialect.insertMany(db.sql, TABLE, added)
}

/** The records among `seqs` that are assigned to other people but not to this user. */
export const assignedToOthersOnly = async (
  db: Db,
  datasetNo: number,
  userId: string,
  seqs: readonly number[],
): Promise<ReadonlySet<number>> => {
  const found = await assignmentsOf(db, datasetNo, seqs)
  return new Set(seqs.filter((seq) => found.get(seq)?.every(({ user_id }) => user_id !== userId) === true))
}
