import type { Migration } from '../migration.ts'

/** Adds snapshots of datasets. */
export const snapshots: Migration = {
  name: '0060-snapshots',
  statements: [
    `CREATE TABLE snapshots (dataset_no {int} NOT NULL, id {uuid} NOT NULL, name {text} NOT NULL, at {time} NOT NULL, user_id {uuid} NOT NULL,
      next_seq {int} NOT NULL, content {json} NOT NULL, PRIMARY KEY (dataset_no, id)) {table}`,
    'CREATE UNIQUE INDEX snapshots_name ON snapshots (dataset_no, name)',
  ],
  only: { sqlite: [], postgres: [] },
}
