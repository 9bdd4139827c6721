import type { Migration } from '../migration.ts'

/** Adds the `seq` of a dataset's first record whose text is not indexed yet. */
export const textDue: Migration = {
  name: '0027-text-due',
  statements: ['ALTER TABLE dataset_state ADD COLUMN text_due_from {int}'],
  only: { sqlite: [], postgres: [] },
}
