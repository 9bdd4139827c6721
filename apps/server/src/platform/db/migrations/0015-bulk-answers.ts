import type { Migration } from '../migration.ts'

export const bulkAnswers: Migration = {
  name: '0015-bulk-answers',
  statements: [
    `CREATE TABLE bulk_answer_parts (job_id {uuid} NOT NULL, part_no {int} NOT NULL, dataset_no {int} NOT NULL, records {text} NOT NULL,
      outcomes {json}, PRIMARY KEY (job_id, part_no)) {clustered}`,
    'CREATE INDEX bulk_answer_parts_dataset ON bulk_answer_parts (dataset_no)',
  ],
  only: { sqlite: [], postgres: [] },
}
