import type { Migration } from '../migration.ts'

/** Adds, for each answer, how its values relate to the suggestions that were shown. Null (unknown) for earlier answers. */
export const suggestionOutcomes: Migration = {
  name: '0030-suggestion-outcomes',
  statements: ['ALTER TABLE responses ADD COLUMN suggestion_outcomes {json}'],
  only: { sqlite: [], postgres: [] },
}
