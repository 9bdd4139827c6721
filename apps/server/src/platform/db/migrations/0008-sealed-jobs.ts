import type { Migration } from '../migration.ts'

/** Secret input of a job, sealed with the store's secret. */
export const sealedJobs: Migration = {
  name: '0008-sealed-jobs',
  statements: ['ALTER TABLE jobs ADD COLUMN sealed {text}'],
  only: { sqlite: [], postgres: [] },
}
