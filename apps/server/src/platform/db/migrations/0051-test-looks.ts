import type { Migration } from '../migration.ts'

/** Adds the number of times that a model run was compared with people on the test half of the records. */
export const testLooks: Migration = {
  name: '0051-test-looks',
  statements: ['ALTER TABLE model_runs ADD COLUMN test_looks {int} NOT NULL DEFAULT 0'],
  only: { sqlite: [], postgres: [] },
}
