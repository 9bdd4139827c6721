import type { Migration } from '../migration.ts'

/** Adds the version of the guidelines and descriptions that each person has seen. */
export const seenVersions: Migration = {
  name: '0047-seen-versions',
  statements: [
    `CREATE TABLE seen_versions (dataset_no {int} NOT NULL, user_id {uuid} NOT NULL, version_no {int} NOT NULL,
      PRIMARY KEY (dataset_no, user_id)) {clustered}`,
    'CREATE INDEX seen_versions_user ON seen_versions (user_id)',
  ],
  only: { sqlite: [], postgres: [] },
}
