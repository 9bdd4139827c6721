import type { Migration } from '../migration.ts'

export const uploads: Migration = {
  name: '0018-uploads',
  statements: ['ALTER TABLE imports ADD COLUMN arriving {text}'],
  only: { sqlite: [], postgres: [] },
}
