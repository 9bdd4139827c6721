import type { ApiFixture } from '../fixture.ts'
import { inRich, vectorName, word, writeOnly } from './records.ts'
import { type Form, list, nullable, oneOf, type Rule, required, text, unchecked, union, values } from './rule.ts'

const scope = () => ({ entity: 'record', property: 'status' })
const search = (fixture: ApiFixture) => ({
  ...inRich(fixture),
  body: {
    query: { text: { q: 'limits', field: `${word}-text` } },
    filters: { and: [{ type: 'terms', scope: scope(), values: ['pending'] }] },
    sort: [{ scope: scope(), order: 'asc' }],
  },
})
const inAnswer = (options: object) => ({ ...options, ...writeOnly })

const searchRules: readonly Rule[] = [
  values('query', inAnswer(nullable), 'model_attributes_type', [[7, 'model_attributes_type']], [[{}]]),
  values('query.text', inAnswer(nullable), 'model_attributes_type', [['x', 'model_attributes_type']]),
  text('query.text.q', inAnswer(required), { numbersToo: true, keep: false }),
  text('query.text.field', inAnswer(nullable), { keep: false }),
  values('query.vector', unchecked, 'model_attributes_type', [
    [{}, 'missing', 'name'],
    [{ name: vectorName }, 'value_error'],
    [{ name: vectorName, value: [] }, 'value_error'],
    [{ name: vectorName, value: [1, 2], record_id: crypto.randomUUID() }, 'value_error'],
    [{ name: vectorName, value: [1, 'x'] }, 'float_parsing', 'value', 1],
    [{ name: vectorName, value: 'x' }, 'list_type', 'value'],
    [{ name: vectorName, record_id: 'x' }, 'uuid_parsing', 'record_id'],
    [{ name: vectorName, value: [1, 2], order: 'random' }, 'enum', 'order'],
    [{ name: vectorName, value: [1, 2], order: null }, 'enum', 'order'],
  ]),
  values('filters', inAnswer(nullable), 'model_attributes_type', [[[], 'model_attributes_type']], [[{}], [{ type: 'and' }]]),
  list('filters.and', inAnswer(nullable), {
    min: 1,
    max: 50,
    item: () => ({ type: 'terms', scope: scope(), values: ['pending'] }),
  }),
  union('filters.and.0', unchecked, 'type'),
  union('filters.and.0.scope', required, 'entity'),
  oneOf(
    'filters.and.0.scope.property',
    { ...required, ...writeOnly },
    ['id', 'external_id', 'inserted_at', 'updated_at', 'status'].slice(-1),
    'literal_error',
  ),
  list('filters.and.0.values', inAnswer(required), { min: 1, max: 250, item: String }),
  values('filters.and.0.values', unchecked, 'list_type', [
    [[true], 'string_type', 0],
    [['x', null], 'string_type', 1],
  ]),
  values('filters.and', unchecked, 'list_type', [
    [[{ type: 'range', scope: scope() }], 'value_error', 0, 'range'],
    [[{ type: 'range', scope: scope(), ge: null, le: null }], 'value_error', 0, 'range'],
    [[{ type: 'range', scope: scope(), ge: 2, le: 1 }], 'value_error', 0, 'range'],
    [[{ type: 'range', scope: scope(), ge: 'b', le: 'a' }], 'value_error', 0, 'range'],
    [[{ type: 'range', scope: scope(), ge: 'a', le: 1 }], 'value_error', 0, 'range'],
    [[{ type: 'range', scope: scope(), ge: true }], 'float_type', 0, 'range', 'ge'],
  ]),
  list('sort', inAnswer(nullable), { min: 1, max: 10, item: () => ({ scope: scope(), order: 'asc' }) }),
  union('sort.0.scope', required, 'entity'),
  oneOf('sort.0.order', inAnswer(required), ['asc', 'desc']),
]

export const searchForms: readonly Form[] = ['search.records', 'search.my_records'].map((id) => ({
  id,
  good: search,
  rules: searchRules,
  tags: { 'filters.and.0': 'type', 'filters.and.0.scope': 'entity', 'sort.0.scope': 'entity' },
}))
