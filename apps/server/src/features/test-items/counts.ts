import type { Db } from '#platform/db/db.ts'
import type { ResponseStatus } from '#platform/db/tables.ts'
import { openTests } from './hand-out.ts'
import { ownTests } from './own-tests.ts'
import { checksFor } from './settings.ts'

/**
 * Counts a person's answers to test items by status. `open`: the number of test items that the queue assigns to the person and
 * that have no answer.
 */
export type TestCounts = { readonly [S in ResponseStatus | 'open']: number }
export const noTests: TestCounts = { draft: 0, submitted: 0, discarded: 0, open: 0 }

type Dataset = { readonly no: number; readonly review: { readonly [key: string]: unknown } | null }
/** `isLead`: whether the person is an owner or an admin of the workspace. */
type Person = { readonly id: string; readonly isLead: boolean }

/** Counts a person's test items by status. A person's progress includes test items, just like other records. */
export const testCounts = async (db: Db, dataset: Dataset, { id, isLead }: Person): Promise<TestCounts> => {
  const tests = await ownTests(db, dataset.no, id)
  if (tests.length === 0) return noTests
  const of = (wanted: ResponseStatus) => tests.filter(({ status }) => status === wanted).length
  const isAssigned = checksFor(dataset, id, isLead) !== null
  const open = isAssigned ? await openTests(db, { datasetNo: dataset.no, userId: id }, { drafts: false }) : []
  return { draft: of('draft'), submitted: of('submitted'), discarded: of('discarded'), open: open.length }
}

/** Returns which of the given datasets contain test items that were assigned to the user. */
export const datasetsWithTests = async (db: Db, among: readonly number[], userId: string): Promise<readonly number[]> => {
  const rows = await db.sql
    .selectFrom('test_items')
    .select('dataset_no')
    .distinct()
    .where('dataset_no', 'in', among)
    .where('user_id', '=', userId)
    .execute()
  return rows.map(({ dataset_no }) => dataset_no)
}
