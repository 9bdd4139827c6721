import type { Migration } from '../migration.ts'

/** Adds the number of answers that leads have requested for a record, in addition to the dataset's minimum. */
export const extraAnswers: Migration = {
  name: '0052-extra-answers',
  statements: ['ALTER TABLE records ADD COLUMN extra_answers {int} NOT NULL DEFAULT 0'],
  only: { sqlite: [], postgres: [] },
}
