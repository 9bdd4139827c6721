import type { Migration } from '../migration.ts'

/** Adds the order in which the author of an answer saw compared fields. Null (unknown) for earlier answers. */
export const shownOrder: Migration = {
  name: '0062-shown-order',
  statements: ['ALTER TABLE responses ADD COLUMN shown {json}'],
  only: { sqlite: [], postgres: [] },
}
