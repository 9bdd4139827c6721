import type { Migration } from '../migration.ts'

/**
 * Adds assignments of records to people. The second index finds a person's records. `assignments_version` is 0 in datasets that
 * have never had an assignment.
 */
export const assignments: Migration = {
  name: '0038-assignments',
  statements: [
    `CREATE TABLE assignments (dataset_no {int} NOT NULL, seq {int} NOT NULL, user_id {uuid} NOT NULL, due_at {time},
      assigned_by {uuid}, assigned_at {time} NOT NULL, PRIMARY KEY (dataset_no, seq, user_id)) {clustered}`,
    'CREATE INDEX assignments_user ON assignments (dataset_no, user_id, seq)',
    `CREATE TABLE assignment_parts (job_id {uuid} NOT NULL, part_no {int} NOT NULL, dataset_no {int} NOT NULL, records {text} NOT NULL,
      stored {json}, PRIMARY KEY (job_id, part_no)) {clustered}`,
    'CREATE INDEX assignment_parts_dataset ON assignment_parts (dataset_no)',
    'ALTER TABLE dataset_state ADD COLUMN assignments_version {int} NOT NULL DEFAULT 0',
  ],
  only: { sqlite: [], postgres: [] },
}
