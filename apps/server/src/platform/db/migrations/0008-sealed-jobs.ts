import type { Migration } from '../migration.ts'

/** What a job needs and nobody may read, sealed with the secret of the store. */
export const sealedJobs: Migration = {
  name: '0008-sealed-jobs',
  statements: ['ALTER TABLE jobs ADD COLUMN sealed {text}'],
  only: { sqlite: [], postgres: [] },
}
