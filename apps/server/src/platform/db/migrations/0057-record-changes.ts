import type { Migration } from '../migration.ts'

/** Adds the lists of changed records. Searches use them to update cached results. */
export const recordChanges: Migration = {
  name: '0057-record-changes',
  statements: [
    `CREATE TABLE change_counts (dataset_no {int} NOT NULL, slot {int} NOT NULL, last_change {int} NOT NULL,
      PRIMARY KEY (dataset_no, slot)) {clustered}`,
    `CREATE TABLE record_changes (dataset_no {int} NOT NULL, slot {int} NOT NULL, change {int} NOT NULL, seq {int} NOT NULL,
      PRIMARY KEY (dataset_no, slot, change, seq)) {clustered}`,
  ],
  only: { sqlite: [], postgres: [] },
}
