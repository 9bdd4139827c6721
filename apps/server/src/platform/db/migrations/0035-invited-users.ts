import type { Migration } from '../migration.ts'

/** Adds a list of the users who chose their usernames themselves, by accepting an invitation. */
export const invitedUsers: Migration = {
  name: '0035-invited-users',
  statements: ['CREATE TABLE invited_users (user_id {uuid} PRIMARY KEY) {table}'],
  only: { sqlite: [], postgres: [] },
}
