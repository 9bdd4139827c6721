import type { Migration } from '../migration.ts'

/**
 * Adds the time of the last failed sign-in. The table is recreated, because in some stores it already has that column. Its
 * content expires within minutes anyway.
 */
export const failedSignInsByClock: Migration = {
  name: '0026-failed-sign-ins-by-clock',
  statements: [
    'DROP TABLE failed_sign_ins',
    'CREATE TABLE failed_sign_ins (key_hash {text} PRIMARY KEY, failed {int} NOT NULL, until {time} NOT NULL, last_at {time} NOT NULL) {table}',
    'CREATE INDEX failed_sign_ins_until ON failed_sign_ins (until)',
  ],
  only: { sqlite: [], postgres: [] },
}
