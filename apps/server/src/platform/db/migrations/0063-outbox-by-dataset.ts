import type { Migration } from '../migration.ts'

/**
 * Adds the dataset's number to the primary key of the outbox. With this key, a cluster can store the events of a dataset on the
 * dataset's node.
 */
export const outboxByDataset: Migration = {
  name: '0063-outbox-by-dataset',
  statements: [],
  only: {
    // The embedded database has no nodes.
    sqlite: [],
    postgres: ['ALTER TABLE outbox DROP CONSTRAINT outbox_pkey, ADD PRIMARY KEY (dataset_no, id)'],
  },
}
