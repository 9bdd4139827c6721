import { command } from '#platform/db/operations.ts'
import { assignmentsOf, replaceAssignments } from '../rows.ts'

/** Loads the operations of the application and of other tests. The operations below are needed only by these tests. */
import '#features/jobs/testing/operations.ts'

/**
 * Removes one person's assignments in the middle of a command that removes another person's assignments. On PostgreSQL, a
 * concurrent command can do the same.
 */
export const removeDuringCommand = command(
  'test.remove-assignments-during-command',
  async (db, args: { readonly dataset_no: number; readonly leaving: string; readonly removed: string }): Promise<void> => {
    const { dataset_no, leaving, removed } = args
    const before = await assignmentsOf(db, dataset_no, [1])
    await db.sql.deleteFrom('assignments').where('dataset_no', '=', dataset_no).where('user_id', '=', leaving).execute()
    const later = (before.get(1) ?? []).filter(({ user_id }) => user_id !== removed)
    await replaceAssignments(db, dataset_no, { before, next: new Map([[1, later]]) })
  },
)
