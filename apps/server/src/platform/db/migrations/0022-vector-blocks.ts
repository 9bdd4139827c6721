import type { Migration } from '../migration.ts'

/** Returns a trigger for changes to `vectors`. When a row changes, the trigger deletes the block that was built from the row. */
const dropBlockAfter = (change: 'INSERT' | 'UPDATE' | 'DELETE', row: 'OLD' | 'NEW'): string =>
  `CREATE TRIGGER vector_blocks_${change.toLowerCase()} AFTER ${change} ON vectors BEGIN
    DELETE FROM vector_blocks WHERE dataset_no = ${row}.dataset_no AND setting_no = ${row}.setting_no AND block = ${row}.seq >> 8;
  END`

export const vectorBlocks: Migration = {
  name: '0022-vector-blocks',
  statements: [],
  only: {
    sqlite: [
      `CREATE TABLE vector_blocks (dataset_no {int} NOT NULL, setting_no {int} NOT NULL, block {int} NOT NULL, codes {blob} NOT NULL,
        PRIMARY KEY (dataset_no, setting_no, block)) {table}`,
      dropBlockAfter('INSERT', 'NEW'),
      dropBlockAfter('UPDATE', 'NEW'),
      dropBlockAfter('DELETE', 'OLD'),
    ],
    postgres: [],
  },
}
