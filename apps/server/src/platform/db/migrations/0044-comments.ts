import type { Migration } from '../migration.ts'

/** Adds comments on records and the list of people whom they mention. The partial index finds records with open threads. */
export const comments: Migration = {
  name: '0044-comments',
  statements: [
    `CREATE TABLE comments (dataset_no {int} NOT NULL, seq {int} NOT NULL, id {uuid} NOT NULL, record_id {uuid} NOT NULL,
      parent {uuid}, user_id {uuid} NOT NULL, text {text} NOT NULL, deleted {bool} NOT NULL, about {json}, mentions {json} NOT NULL,
      resolved_by {uuid}, resolved_at {time}, edited_at {time}, inserted_at {time} NOT NULL,
      PRIMARY KEY (dataset_no, seq, id)) {clustered}`,
    'CREATE INDEX comments_open ON comments (dataset_no, seq) WHERE parent IS NULL AND resolved_at IS NULL',
    `CREATE TABLE mentions (user_id {uuid} NOT NULL, comment_id {uuid} NOT NULL, dataset_no {int} NOT NULL, record_id {uuid} NOT NULL,
      by_id {uuid} NOT NULL, at {time} NOT NULL, PRIMARY KEY (user_id, comment_id)) {clustered}`,
    'CREATE INDEX mentions_dataset ON mentions (dataset_no, comment_id)',
  ],
  only: { sqlite: [], postgres: [] },
}
