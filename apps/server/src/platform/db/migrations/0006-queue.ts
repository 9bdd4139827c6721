import type { Migration } from '../migration.ts'

export const queue: Migration = {
  name: '0006-queue',
  // NOTE: the columns of `records_queue`, so that both engines see in it the smaller twin and choose it
  statements: [
    `CREATE INDEX records_partly ON records (dataset_no, status, shuffle, seq) WHERE status = 'pending' AND submitted > 0`,
  ],
  only: { sqlite: [], postgres: [] },
}
