import type { Migration } from '../migration.ts'

/**
 * Adds a column that stores the reason for a job's failure as codes. The column is null for jobs that failed before this
 * migration.
 */
export const jobReasonParts: Migration = {
  name: '0028-job-reason-parts',
  statements: ['ALTER TABLE jobs ADD COLUMN reason_parts {json}'],
  only: { sqlite: [], postgres: [] },
}
