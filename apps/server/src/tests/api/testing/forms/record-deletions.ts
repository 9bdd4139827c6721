import type { ApiFixture } from '../fixture.ts'
import { type Form, list, nullable, uuid } from './rule.ts'

const writeOnly = { writeOnly: true } as const
/** No record contains these words, so nothing is deleted. */
const search = { query: { text: { q: 'nothing has this word' } } }

export const recordDeletionForms: readonly Form[] = [
  {
    id: 'record_deletions.start',
    good: ({ rich }: ApiFixture) => ({ params: { dataset_id: rich.dataset.id }, body: { search, except_ids: [] } }),
    rules: [
      list('except_ids', { ...nullable, ...writeOnly }, { max: 1000, item: () => crypto.randomUUID() }),
      uuid('except_ids.0', { ...writeOnly, presence: 'unchecked' }),
    ],
  },
]
