import type { Migration } from '../migration.ts'

/** Adds test items. `handed_out`: how many records had been assigned to the person when the last test item was assigned. */
export const testItems: Migration = {
  name: '0045-test-items',
  statements: [
    `CREATE TABLE test_items (dataset_no {int} NOT NULL, seq {int} NOT NULL, user_id {uuid} NOT NULL, id {uuid} NOT NULL,
      record_id {uuid} NOT NULL, "values" {json} NOT NULL, suggestion_outcomes {json}, status {text}, active_ms {int},
      version {int} NOT NULL, last_mutation_id {text}, rightness {real}, gold_version {int}, inserted_at {time} NOT NULL,
      updated_at {time} NOT NULL, PRIMARY KEY (dataset_no, seq, user_id)) {clustered}`,
    'CREATE INDEX test_items_user ON test_items (dataset_no, user_id, status, seq)',
    `CREATE TABLE test_people (dataset_no {int} NOT NULL, user_id {uuid} NOT NULL, handed_out {int} NOT NULL, continued_at {time},
      PRIMARY KEY (dataset_no, user_id)) {clustered}`,
  ],
  only: { sqlite: [], postgres: [] },
}
