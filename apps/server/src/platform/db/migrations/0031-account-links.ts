import type { Migration } from '../migration.ts'

/** Adds invitations and links for new passwords. Only hashes of their tokens are stored. */
export const accountLinks: Migration = {
  name: '0031-account-links',
  statements: [
    `CREATE TABLE invitations (id {uuid} PRIMARY KEY, token_hash {text} NOT NULL UNIQUE, username {text} NOT NULL, first_name {text} NOT NULL,
      last_name {text}, role {text} NOT NULL, workspace_ids {json} NOT NULL, invited_by {uuid} NOT NULL, inserted_at {time} NOT NULL, expires_at {time} NOT NULL) {table}`,
    `CREATE TABLE password_links (user_id {uuid} PRIMARY KEY, token_hash {text} NOT NULL UNIQUE, created_by {uuid} NOT NULL,
      inserted_at {time} NOT NULL, expires_at {time} NOT NULL) {table}`,
  ],
  only: { sqlite: [], postgres: [] },
}
