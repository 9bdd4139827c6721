import type { Migration } from '../migration.ts'

export const failedSignIns: Migration = {
  name: '0025-failed-sign-ins',
  statements: [
    'CREATE TABLE failed_sign_ins (key_hash {text} PRIMARY KEY, failed {int} NOT NULL, until {time} NOT NULL) {table}',
    'CREATE INDEX failed_sign_ins_until ON failed_sign_ins (until)',
  ],
  only: { sqlite: [], postgres: [] },
}
