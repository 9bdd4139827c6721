import type { Migration } from '../migration.ts'

/** Adds the comment with which a reviewer returned an answer. The index finds returned answers, which are few. */
export const returnedAnswers: Migration = {
  name: '0042-returned-answers',
  statements: [
    'ALTER TABLE responses ADD COLUMN returned {json}',
    'CREATE INDEX responses_returned ON responses (dataset_no, user_id, seq) WHERE returned IS NOT NULL',
  ],
  only: { sqlite: [], postgres: [] },
}
