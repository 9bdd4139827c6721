import type { Migration } from '../migration.ts'

/** From which record on the text of new ones is still to be indexed. */
export const textDue: Migration = {
  name: '0027-text-due',
  statements: ['ALTER TABLE dataset_state ADD COLUMN text_due_from {int}'],
  only: { sqlite: [], postgres: [] },
}
