import type { Migration } from '../migration.ts'

const column = (no: string) => [`ALTER TABLE datasets ADD COLUMN ignores_accents {bool} NOT NULL DEFAULT ${no}`]

export const ignoredAccents: Migration = {
  name: '0036-ignored-accents',
  statements: [],
  only: { sqlite: column('0'), postgres: column('false') },
}
