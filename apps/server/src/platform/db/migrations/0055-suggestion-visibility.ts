import type { Migration } from '../migration.ts'

/** Adds when annotators see suggestions, and for each answer whether its author was shown them. */
export const suggestionVisibility: Migration = {
  name: '0055-suggestion-visibility',
  statements: [
    'ALTER TABLE datasets ADD COLUMN suggestion_rule {json}',
    'ALTER TABLE responses ADD COLUMN suggestion_view {text}',
  ],
  only: { sqlite: [], postgres: [] },
}
