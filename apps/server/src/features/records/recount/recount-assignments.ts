import { type RawBuilder, sql } from 'kysely'
import { usersBeingRemoved } from '#features/responses/public.ts'
import { assignmentsChanged } from '#platform/db/content-version.ts'
import type { Db } from '#platform/db/db.ts'
import type { Report } from './recount-rows.ts'

/**
 * Returns a condition for assignments whose record or user no longer exists. Leaves out assignments that a job is still deleting
 * because their user was deleted.
 */
const orphansOf = async (db: Db, datasetNo: number): Promise<RawBuilder<boolean>> => {
  const leaving = await usersBeingRemoved(db)
  const kept = leaving.length === 0 ? sql`` : sql`and user_id not in (${sql.join(leaving)})`
  return sql`dataset_no = ${datasetNo} and (
    (select 1 from records where records.dataset_no = ${datasetNo} and records.seq = assignments.seq) is null
    or ((select 1 from users where users.id = assignments.user_id) is null ${kept}))`
}

const countRows = async (db: Db, datasetNo: number, orphans: RawBuilder<boolean>) => {
  const { rows } = await sql<{ all: number; wrong: number }>`
    select (select count(*) from assignments where dataset_no = ${datasetNo}) as "all",
      (select count(*) from assignments where ${orphans}) as wrong`.execute(db.sql)
  return { all: Number(rows[0]?.all ?? 0), wrong: Number(rows[0]?.wrong ?? 0) }
}

/** Whether the dataset is marked as having assignments. Without the mark, the queue and searches ignore its assignments. */
const isMarked = async (db: Db, datasetNo: number): Promise<boolean> => {
  const state = await db.sql
    .selectFrom('dataset_state')
    .select('assignments_version')
    .where('dataset_no', '=', datasetNo)
    .executeTakeFirst()
  return (state?.assignments_version ?? 0) > 0
}

export const compareAssignments = async (db: Db, report: Report, datasetNo: number): Promise<void> => {
  const { all, wrong } = await countRows(db, datasetNo, await orphansOf(db, datasetNo))
  if (wrong > 0) report({ what: 'assignments', key: 'without a record or user', stored: wrong, counted: 0 })
  if (all > 0 && !(await isMarked(db, datasetNo)))
    report({ what: 'dataset_state', key: 'assignments_version', stored: 0, counted: 1 })
}

/**
 * Deletes assignments whose record or user no longer exists. If the dataset had any assignments, also increases its
 * `assignments_version`.
 */
export const rebuildAssignments = async (db: Db, datasetNo: number): Promise<void> => {
  const orphans = await orphansOf(db, datasetNo)
  const { all, wrong } = await countRows(db, datasetNo, orphans)
  if (wrong > 0) await sql`delete from assignments where ${orphans}`.execute(db.sql)
  if (all > 0) await assignmentsChanged(db, datasetNo)
}
