import type { Migration } from '../migration.ts'

/** Adds the rule for when annotators see suggestions. Also adds, for each answer, whether its author was shown suggestions. */
export const suggestionVisibility: Migration = {
  name: '0055-suggestion-visibility',
  statements: [
    'ALTER TABLE datasets ADD COLUMN suggestion_rule {json}',
    'ALTER TABLE responses ADD COLUMN suggestion_view {text}',
  ],
  only: { sqlite: [], postgres: [] },
}
