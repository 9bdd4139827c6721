import { sql } from 'kysely'
import { assignmentsChanged } from '#platform/db/content-version.ts'
import type { Db } from '#platform/db/db.ts'
import type { Report } from './recount-rows.ts'

/** Assignments of records or users that no longer exist. */
const orphans = (datasetNo: number) => sql`dataset_no = ${datasetNo} and (
  (select 1 from records where records.dataset_no = ${datasetNo} and records.seq = assignments.seq) is null
  or (select 1 from users where users.id = assignments.user_id) is null)`

const countRows = async (db: Db, datasetNo: number): Promise<{ readonly all: number; readonly wrong: number }> => {
  const { rows } = await sql<{ all: number; wrong: number }>`
    select (select count(*) from assignments where dataset_no = ${datasetNo}) as "all",
      (select count(*) from assignments where ${orphans(datasetNo)}) as wrong`.execute(db.sql)
  return { all: Number(rows[0]?.all ?? 0), wrong: Number(rows[0]?.wrong ?? 0) }
}

/** Whether the dataset is marked as having assignments. Without the mark, the queue and searches ignore them. */
const isMarked = async (db: Db, datasetNo: number): Promise<boolean> => {
  const state = await db.sql
    .selectFrom('dataset_state')
    .select('assignments_version')
    .where('dataset_no', '=', datasetNo)
    .executeTakeFirst()
  return (state?.assignments_version ?? 0) > 0
}

export const compareAssignments = async (db: Db, report: Report, datasetNo: number): Promise<void> => {
  const { all, wrong } = await countRows(db, datasetNo)
  if (wrong > 0) report({ what: 'assignments', key: 'without a record or user', stored: wrong, counted: 0 })
  if (all > 0 && !(await isMarked(db, datasetNo)))
    report({ what: 'dataset_state', key: 'assignments_version', stored: 0, counted: 1 })
}

/** Deletes assignments of records and users that no longer exist, and marks the dataset if it has assignments. */
export const rebuildAssignments = async (db: Db, datasetNo: number): Promise<void> => {
  const { all, wrong } = await countRows(db, datasetNo)
  if (wrong > 0) await sql`delete from assignments where ${orphans(datasetNo)}`.execute(db.sql)
  if (all > 0) await assignmentsChanged(db, datasetNo)
}
