import type { Migration } from '../migration.ts'

/** Adds the lists of records that jobs delete. */
export const recordDeletions: Migration = {
  name: '0039-record-deletions',
  statements: [
    `CREATE TABLE deletion_parts (job_id {uuid} NOT NULL, part_no {int} NOT NULL, dataset_no {int} NOT NULL, records {text} NOT NULL,
      PRIMARY KEY (job_id, part_no)) {clustered}`,
    'CREATE INDEX deletion_parts_dataset ON deletion_parts (dataset_no)',
  ],
  only: { sqlite: [], postgres: [] },
}
