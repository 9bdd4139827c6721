import type { Migration } from '../migration.ts'

export const partlyAnsweredInOrder: Migration = {
  name: '0033-partly-answered-in-order',
  statements: [`CREATE INDEX records_partly_seq ON records (dataset_no, status, seq) WHERE status = 'pending' AND submitted > 0`],
  only: { sqlite: [], postgres: [] },
}
