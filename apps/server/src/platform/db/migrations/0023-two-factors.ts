import type { Migration } from '../migration.ts'

/** Existing sessions and links are treated as started with one factor, because their factors are not known. */
const column = (no: string) => [
  `ALTER TABLE sessions ADD COLUMN two_factors {bool} NOT NULL DEFAULT ${no}`,
  `ALTER TABLE sign_in_links ADD COLUMN two_factors {bool} NOT NULL DEFAULT ${no}`,
]

export const twoFactors: Migration = {
  name: '0023-two-factors',
  statements: [],
  only: { sqlite: column('0'), postgres: column('false') },
}
