import type { Migration } from '../migration.ts'

export const secondFactors: Migration = {
  name: '0021-second-factors',
  statements: [
    `CREATE TABLE second_factors (user_id {uuid} PRIMARY KEY, secret_sealed {text} NOT NULL, active_since {time}, last_step {int} NOT NULL,
      recovery {json} NOT NULL) {table}`,
  ],
  only: { sqlite: [], postgres: [] },
}
