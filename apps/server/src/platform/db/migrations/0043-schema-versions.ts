import type { Migration } from '../migration.ts'

/** Adds the versions of a dataset's labels. */
export const schemaVersions: Migration = {
  name: '0043-schema-versions',
  statements: [
    `CREATE TABLE schema_versions (dataset_no {int} NOT NULL, no {int} NOT NULL, at {time} NOT NULL, user_id {uuid} NOT NULL,
      note {text}, changes {json} NOT NULL, snapshot {json} NOT NULL, job_id {uuid}, PRIMARY KEY (dataset_no, no)) {clustered}`,
  ],
  only: { sqlite: [], postgres: [] },
}
