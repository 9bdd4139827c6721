import type { Migration } from '../migration.ts'

export const textVersion: Migration = {
  name: '0003-text-version',
  statements: [
    'ALTER TABLE dataset_state ADD COLUMN text_version {int} NOT NULL DEFAULT 1',
    'ALTER TABLE dataset_state ADD COLUMN text_rebuilt_to {int}',
  ],
  only: { sqlite: [], postgres: [] },
}
