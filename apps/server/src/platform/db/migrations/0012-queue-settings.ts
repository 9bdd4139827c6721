import type { Migration } from '../migration.ts'

export const queueSettings: Migration = {
  name: '0012-queue-settings',
  statements: ['ALTER TABLE datasets ADD COLUMN queue {json}'],
  only: { sqlite: [], postgres: [] },
}
