import type { Migration } from '../migration.ts'

const column = (no: string) => [`ALTER TABLE datasets ADD COLUMN shows_active_time {bool} NOT NULL DEFAULT ${no}`]

/**
 * Adds the active time of answers, and the setting that controls who sees it. The index is for computing the quartiles of the
 * active times of one person's submitted answers.
 */
export const activeTime: Migration = {
  name: '0040-active-time',
  statements: [
    'ALTER TABLE responses ADD COLUMN active_ms {int}',
    'ALTER TABLE response_tombstones ADD COLUMN active_ms {int}',
    `CREATE INDEX responses_active_time ON responses (dataset_no, user_id, active_ms)
      WHERE status = 'submitted' AND active_ms IS NOT NULL`,
  ],
  only: { sqlite: column('0'), postgres: column('false') },
}
