import type { Migration } from '../migration.ts'

/** Lets a cluster store the events of a dataset on the dataset's node: their primary key must contain the dataset's number. */
export const outboxByDataset: Migration = {
  name: '0063-outbox-by-dataset',
  statements: [],
  only: {
    // The embedded database has no nodes.
    sqlite: [],
    postgres: ['ALTER TABLE outbox DROP CONSTRAINT outbox_pkey, ADD PRIMARY KEY (dataset_no, id)'],
  },
}
