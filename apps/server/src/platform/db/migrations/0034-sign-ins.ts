import type { Migration } from '../migration.ts'

/** Adds the sign-ins that the audit log shows. Unlike the other entries, they are grouped and expire. */
export const signIns: Migration = {
  name: '0034-sign-ins',
  statements: [
    `CREATE TABLE sign_ins (id {uuid} PRIMARY KEY, group_key {text} NOT NULL UNIQUE, at {time} NOT NULL, last_at {time} NOT NULL, times {int} NOT NULL,
      succeeded {bool} NOT NULL, user_id {uuid}, username {text}, means {text} NOT NULL, address {text} NOT NULL) {table}`,
    'CREATE INDEX sign_ins_kind ON sign_ins (succeeded, id)',
    'CREATE INDEX sign_ins_user ON sign_ins (user_id, id)',
  ],
  only: { sqlite: [], postgres: [] },
}
