import type { Migration } from '../migration.ts'

/** NOTE: nothing is known of sessions and links that were there before, so they count as begun by one factor */
const column = (no: string) => [
  `ALTER TABLE sessions ADD COLUMN two_factors {bool} NOT NULL DEFAULT ${no}`,
  `ALTER TABLE sign_in_links ADD COLUMN two_factors {bool} NOT NULL DEFAULT ${no}`,
]

export const twoFactors: Migration = {
  name: '0023-two-factors',
  statements: [],
  only: { sqlite: column('0'), postgres: column('false') },
}
