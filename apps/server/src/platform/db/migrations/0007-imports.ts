import type { Migration } from '../migration.ts'

export const imports: Migration = {
  name: '0007-imports',
  statements: [
    `CREATE TABLE imports (id {uuid} PRIMARY KEY, dataset_no {int} NOT NULL, user_id {uuid} NOT NULL, name {text} NOT NULL, layout {json} NOT NULL,
      size {int} NOT NULL, job_id {uuid}, inserted_at {time} NOT NULL) {table}`,
    'CREATE INDEX imports_dataset ON imports (dataset_no)',
    `CREATE TABLE import_faults (import_id {uuid} NOT NULL, dataset_no {int} NOT NULL, row_no {int} NOT NULL, line_no {int} NOT NULL, column_name {text},
      fault {text} NOT NULL, PRIMARY KEY (import_id, row_no)) {clustered}`,
    'CREATE INDEX import_faults_dataset ON import_faults (dataset_no)',
  ],
  only: { sqlite: [], postgres: [] },
}
