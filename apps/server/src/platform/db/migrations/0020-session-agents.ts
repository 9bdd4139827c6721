import type { Migration } from '../migration.ts'

/** Adds the browser's user agent to sessions. Null for sessions created before this migration. */
export const sessionAgents: Migration = {
  name: '0020-session-agents',
  statements: ['ALTER TABLE sessions ADD COLUMN agent {text}'],
  only: { sqlite: [], postgres: [] },
}
