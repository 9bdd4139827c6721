import type { Migration } from '../migration.ts'

const column = (no: string) => [`ALTER TABLE users ADD COLUMN is_agent {bool} NOT NULL DEFAULT ${no}`]

/** Marks users that are programs. They can't answer. */
export const agents: Migration = {
  name: '0054-agents',
  statements: [],
  only: { sqlite: column('0'), postgres: column('false') },
}
