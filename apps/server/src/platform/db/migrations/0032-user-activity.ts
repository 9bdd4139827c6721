import type { Migration } from '../migration.ts'

/** Adds the time of each user's last request. The initial value is the last use of the user's sessions. */
export const userActivity: Migration = {
  name: '0032-user-activity',
  statements: [
    'CREATE TABLE user_activity (user_id {uuid} PRIMARY KEY, at {time} NOT NULL) {table}',
    'INSERT INTO user_activity (user_id, at) SELECT user_id, MAX(seen_at) FROM sessions GROUP BY user_id',
  ],
  only: { sqlite: [], postgres: [] },
}
