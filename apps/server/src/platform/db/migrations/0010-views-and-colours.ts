import type { Migration } from '../migration.ts'

export const viewsAndColours: Migration = {
  name: '0010-views-and-colours',
  statements: [
    `CREATE TABLE saved_views (dataset_no {int} NOT NULL, id {uuid} NOT NULL, user_id {uuid} NOT NULL, name {text} NOT NULL, query {text} NOT NULL,
      shared {bool} NOT NULL, inserted_at {time} NOT NULL, updated_at {time} NOT NULL, PRIMARY KEY (dataset_no, id)) {table}`,
    'CREATE UNIQUE INDEX saved_views_name ON saved_views (dataset_no, user_id, name)',
    'CREATE INDEX saved_views_user ON saved_views (user_id)',
    'ALTER TABLE questions ADD COLUMN colours {json}',
  ],
  only: { sqlite: [], postgres: [] },
}
