import type { Migration } from '../migration.ts'

/**
 * Sessions and links from before this migration are treated as if the user had given only one factor, because the actual number
 * is unknown.
 */
const column = (no: string) => [
  `ALTER TABLE sessions ADD COLUMN two_factors {bool} NOT NULL DEFAULT ${no}`,
  `ALTER TABLE sign_in_links ADD COLUMN two_factors {bool} NOT NULL DEFAULT ${no}`,
]

export const twoFactors: Migration = {
  name: '0023-two-factors',
  statements: [],
  only: { sqlite: column('0'), postgres: column('false') },
}
