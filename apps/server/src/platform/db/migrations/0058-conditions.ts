import type { Migration } from '../migration.ts'

/** Adds the conditions under which questions are shown. */
export const conditions: Migration = {
  name: '0058-conditions',
  statements: ['ALTER TABLE questions ADD COLUMN shown_when {json}'],
  only: { sqlite: [], postgres: [] },
}
