import type { Migration } from '../migration.ts'

/**
 * Adds the names that the job lists show after a job's dataset has been deleted. They are null while the dataset exists,
 * because it can be renamed.
 */
export const namesOfJobs: Migration = {
  name: '0029-names-of-jobs',
  statements: ['ALTER TABLE jobs ADD COLUMN dataset_name {text}', 'ALTER TABLE jobs ADD COLUMN subject {text}'],
  only: { sqlite: [], postgres: [] },
}
