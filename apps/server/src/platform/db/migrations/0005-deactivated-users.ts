import type { Migration } from '../migration.ts'

export const deactivatedUsers: Migration = {
  name: '0005-deactivated-users',
  statements: ['ALTER TABLE users ADD COLUMN deactivated_at {time}'],
  only: { sqlite: [], postgres: [] },
}
