import type { Migration } from '../migration.ts'

export const oauthIdentities: Migration = {
  name: '0009-oauth-identities',
  statements: [
    'CREATE TABLE oauth_identities (issuer {text} NOT NULL, subject {text} NOT NULL, user_id {uuid} NOT NULL, provider {text} NOT NULL, made_user {bool} NOT NULL, inserted_at {time} NOT NULL, PRIMARY KEY (issuer, subject)) {table}',
    'CREATE INDEX oauth_identities_user ON oauth_identities (user_id)',
    'CREATE TABLE oauth_states (state_hash {text} PRIMARY KEY, expires_at {time} NOT NULL) {table}',
  ],
  only: { sqlite: [], postgres: [] },
}
