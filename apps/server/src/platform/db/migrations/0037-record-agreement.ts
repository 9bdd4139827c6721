import type { Migration } from '../migration.ts'

/** Adds the agreement on each record. A job computes it for existing datasets. */
export const recordAgreement: Migration = {
  name: '0037-record-agreement',
  statements: [
    `CREATE TABLE agreement_numbers (dataset_no {int} NOT NULL, seq {int} NOT NULL, key {int} NOT NULL, number {real} NOT NULL,
      PRIMARY KEY (dataset_no, seq, key)) {clustered}`,
    'CREATE INDEX agreement_numbers_number ON agreement_numbers (dataset_no, key, number, seq)',
    'ALTER TABLE dataset_state ADD COLUMN agreement_filled_to {int}',
    'UPDATE dataset_state SET agreement_filled_to = 0',
  ],
  only: { sqlite: [], postgres: [] },
}
