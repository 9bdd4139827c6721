import { submittedAnswer } from '../actions/review.ts'
import type { ApiFixture } from '../fixture.ts'
import { bool, type Form, int, list, nullable, oneOf, required, text, unchecked, uuid, values } from './rule.ts'

const inRich = ({ rich }: ApiFixture) => ({ params: { dataset_id: rich.dataset.id } })
const writeOnly = { writeOnly: true } as const
const uncheckedItem = { ...writeOnly, presence: 'unchecked' } as const
const item = () => crypto.randomUUID()

/** No record contains these words, so nothing is stored. */
const search = { query: { text: { q: 'nothing has this word' } } }

const share: readonly (readonly [unknown, string])[] = [
  [-0.1, 'greater_than_equal'],
  [1.1, 'less_than_equal'],
  ['much', 'float_parsing'],
]

export const reviewForms: readonly Form[] = [
  {
    id: 'review.set_settings',
    good: (fixture) => ({ ...inRich(fixture), body: { mode: 'all', reviewers: [fixture.users.annotatorIn.id] } }),
    rules: [
      oneOf('mode', writeOnly, ['off', 'disagreements', 'sample', 'all']),
      values('sample', writeOnly, 'float_type', share),
      int('needs', { ...nullable, ...writeOnly }, { ge: 1, le: 1_000_000, good: 2 }),
      // The server validates the body before it checks whether the people are in the workspace. Another test covers that check
      { ...list('reviewers', writeOnly, { max: 100, item }), accepted: [] },
      { ...uuid('reviewers.0', uncheckedItem), accepted: [] },
      bool('own_answers', { ...nullable, ...writeOnly }),
      oneOf('names', writeOnly, ['shown', 'hidden']),
    ],
  },
  {
    id: 'review.set_settings',
    good: (fixture) => ({ ...inRich(fixture), body: { mode: 'all', checks: { every: 10, stop_below: 0.5, tolerance: 1 } } }),
    rules: [int('checks.every', { presence: 'unchecked', nullable: 'unchecked' }, { ge: 2, le: 1000, good: 20 })],
  },
  {
    id: 'review.take',
    good: (fixture) => ({ ...inRich(fixture), body: { limit: 1, exclude: [item()] } }),
    rules: [
      int('limit', writeOnly, { ge: 1, le: 20, good: 2 }),
      list('exclude', { ...nullable, ...writeOnly }, { max: 1000, item }),
      uuid('exclude.0', uncheckedItem),
    ],
  },
  {
    id: 'review.start_job',
    good: (fixture) => ({ ...inRich(fixture), body: { search, rule: 'majority', dry_run: true } }),
    rules: [
      oneOf('rule', { ...required, ...writeOnly }, ['unanimous', 'majority']),
      int('min', writeOnly, { ge: 1, le: 1_000_000, good: 2 }),
      values('share', writeOnly, 'float_type', share),
      bool('dry_run', { ...nullable, ...writeOnly }),
      // The server validates the body before it checks whether the dataset has the questions. Another test covers the second
      // check
      { ...list('questions', { ...nullable, ...writeOnly }, { min: 1, max: 100, item }), accepted: [] },
      values('search', { presence: 'unchecked', nullable: 'unchecked' }, 'model_attributes_type', []),
    ],
  },
  {
    id: 'review.start_answer_job',
    good: (fixture) => ({ ...inRich(fixture), body: { search, change: 'return', comment: 'Please check', user_ids: [item()] } }),
    rules: [
      oneOf('change', { ...required, ...writeOnly }, ['return', 'discard']),
      text('comment', { presence: 'unchecked', nullable: 'unchecked', ...writeOnly }, { min: 1, max: 4000 }),
      // Unknown user IDs are accepted: they match no answers
      list('user_ids', { ...nullable, ...writeOnly }, { min: 1, max: 100, item }),
      uuid('user_ids.0', uncheckedItem),
      values('search', { presence: 'unchecked', nullable: 'unchecked' }, 'model_attributes_type', []),
    ],
  },
  {
    id: 'review.return',
    good: async (fixture) => ({ params: { response_id: await submittedAnswer(fixture) }, body: { comment: 'Please check' } }),
    rules: [
      text('comment', { ...required, ...writeOnly }, { min: 1, max: 4000 }),
      { ...int('base_version', { ...nullable, ...writeOnly }, { ge: 0, good: 1 }), accepted: [] },
    ],
  },
  {
    id: 'review.put_gold',
    good: async ({ newRecord, word }) => ({
      params: { record_id: (await newRecord()).id },
      body: {
        mutation_id: item(),
        base_version: null,
        values: { [`${word}-label`]: { value: `${word}-a`, source: 'adjudicated' } },
        final: false,
      },
    }),
    rules: [
      uuid('mutation_id', { ...required, ...writeOnly }),
      { ...int('base_version', { ...required, nullable: 'yes', ...writeOnly }, { ge: 0, good: 2 }), accepted: [] },
      bool('final', {}),
      { ...text('values', unchecked, { keep: false }), refused: [[7, 'dict_type']], accepted: [] },
    ],
  },
]
