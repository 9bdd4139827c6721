import type { Migration } from '../migration.ts'

const reviewed = (no: string) => [
  `ALTER TABLE agreement_numbers ADD COLUMN reviewed {bool} NOT NULL DEFAULT ${no}`,
  'CREATE INDEX agreement_numbers_open ON agreement_numbers (dataset_no, key, number, seq) WHERE NOT reviewed AND number < 1',
]

/**
 * Adds the final answers of records, leases of reviewers, and the review settings of datasets. The partial indexes find records
 * to review, and leave out the many records that have been reviewed.
 */
export const review: Migration = {
  name: '0041-review',
  statements: [
    'ALTER TABLE datasets ADD COLUMN review {json}',
    `CREATE TABLE gold (dataset_no {int} NOT NULL, seq {int} NOT NULL, record_id {uuid} NOT NULL, "values" {json} NOT NULL,
      answered {int} NOT NULL, final {bool} NOT NULL, stale {bool} NOT NULL, basis {text} NOT NULL, version {int} NOT NULL, last_mutation_id {text},
      user_id {uuid} NOT NULL, inserted_at {time} NOT NULL, updated_at {time} NOT NULL, PRIMARY KEY (dataset_no, seq)) {clustered}`,
    'CREATE INDEX gold_stale ON gold (dataset_no, seq) WHERE stale',
    `CREATE TABLE review_leases (dataset_no {int} NOT NULL, seq {int} NOT NULL, user_id {uuid} NOT NULL, until {time} NOT NULL,
      PRIMARY KEY (dataset_no, seq)) {clustered}`,
    `CREATE TABLE gold_parts (job_id {uuid} NOT NULL, part_no {int} NOT NULL, dataset_no {int} NOT NULL, records {text} NOT NULL,
      PRIMARY KEY (job_id, part_no)) {clustered}`,
    'CREATE INDEX gold_parts_dataset ON gold_parts (dataset_no)',
  ],
  only: { sqlite: reviewed('0'), postgres: reviewed('false') },
}
