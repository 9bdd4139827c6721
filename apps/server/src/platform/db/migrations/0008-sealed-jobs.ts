import type { Migration } from '../migration.ts'

/** A job's secret input, sealed with the store's secret. */
export const sealedJobs: Migration = {
  name: '0008-sealed-jobs',
  statements: ['ALTER TABLE jobs ADD COLUMN sealed {text}'],
  only: { sqlite: [], postgres: [] },
}
