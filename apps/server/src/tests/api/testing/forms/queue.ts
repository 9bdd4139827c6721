import type { ApiFixture } from '../fixture.ts'
import { bool, type Form, int, list, nullable, oneOf, required, text, unchecked, union, uuid, values } from './rule.ts'

const inRich = ({ rich }: ApiFixture) => ({ params: { dataset_id: rich.dataset.id } })
const writeOnly = { writeOnly: true } as const
const item = () => crypto.randomUUID()

export const queueForms: readonly Form[] = [
  {
    id: 'queue.set_settings',
    good: (fixture) => ({
      ...inRich(fixture),
      body: { order: [{ scope: { entity: 'record', property: 'inserted_at' }, order: 'asc' }], max_per_person: 5 },
    }),
    rules: [
      bool('shuffled', { ...nullable, ...writeOnly }),
      bool('others_answer_assigned', { ...nullable, ...writeOnly }),
      int('max_per_person', { ...nullable, ...writeOnly }, { ge: 1, le: 1_000_000_000, good: 2 }),
      list(
        'order',
        { ...nullable, ...writeOnly },
        {
          min: 1,
          max: 10,
          item: () => ({ scope: { entity: 'record', property: 'inserted_at' }, order: 'desc' }),
        },
      ),
      union('order.0.scope', required, 'entity'),
      oneOf('order.0.order', { ...required, ...writeOnly }, ['asc', 'desc']),
      values('order', unchecked, 'list_type', [
        [[{ scope: { entity: 'response', property: 'status' }, order: 'asc' }], 'value_error', 0],
        [[{ scope: { entity: 'record', property: 'updated_at' }, order: 'asc' }], 'value_error', 0],
        [[{ scope: { entity: 'spread', vector: 'v' }, order: 'desc' }], 'value_error', 0],
        [[...Array(2)].map(() => ({ scope: { entity: 'spread', vector: 'v' }, order: 'asc' })), 'value_error'],
      ]),
      text('assigned_by', { presence: 'unchecked', nullable: 'unchecked', ...writeOnly }, { keep: false }),
    ],
  },
  {
    id: 'queue.take',
    good: (fixture) => ({ ...inRich(fixture), body: { limit: 1, exclude: [item()] } }),
    rules: [
      int('limit', writeOnly, { ge: 1, le: 100, good: 2 }),
      list('exclude', { ...nullable, ...writeOnly }, { max: 1000, item }),
      bool('drafts', writeOnly),
      uuid('exclude.0', { ...writeOnly, presence: 'unchecked' }),
    ],
  },
  {
    id: 'queue.renew',
    good: (fixture) => ({ ...inRich(fixture), body: { record_ids: [item()] } }),
    rules: [
      list('record_ids', { ...required, ...writeOnly }, { min: 1, max: 100, item }),
      uuid('record_ids.0', { ...writeOnly, presence: 'unchecked' }),
    ],
  },
]
