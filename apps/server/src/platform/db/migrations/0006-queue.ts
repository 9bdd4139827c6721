import type { Migration } from '../migration.ts'

export const queue: Migration = {
  name: '0006-queue',
  // The index has the same columns as `records_queue`, so both engines recognize it as a smaller version of `records_queue` and
  // choose it.
  statements: [
    `CREATE INDEX records_partly ON records (dataset_no, status, shuffle, seq) WHERE status = 'pending' AND submitted > 0`,
  ],
  only: { sqlite: [], postgres: [] },
}
