import type { ApiFixture } from '../fixture.ts'
import { inRich, wrongValues } from './records.ts'
import { type Form, int, list, nullable, object, oneOf, required, unchecked, values } from './rule.ts'

const writeOnly = { writeOnly: true } as const
// The search forms cover everything that a search accepts.
const good = (fixture: ApiFixture) => ({
  ...inRich(fixture),
  body: { search: { query: { text: { q: 'nothing has this word' } } }, status: 'draft', values: {}, own_questions: [] },
})

export const bulkAnswerForms: readonly Form[] = [
  {
    id: 'bulk_answers.start',
    good,
    rules: [
      object('search', { ...required, ...writeOnly }),
      oneOf('status', { ...required, ...writeOnly }, ['draft', 'submitted', 'discarded']),
      values('values', { ...nullable, ...writeOnly }, 'dict_type', wrongValues),
      int('limit', { ...nullable, ...writeOnly }, { ge: 1, good: 2 }),
      { ...list('own_questions', { ...nullable, ...writeOnly }, { max: 1000, item: String }), accepted: [] },
      values('own_questions', unchecked, 'list_type', [[[7], 'string_type', 0]]),
    ],
  },
]
