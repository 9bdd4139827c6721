import { expect, test } from 'vitest'
import type { z } from 'zod'
import { DatasetCreate, DatasetUpdate } from '../datasets.ts'
import { UserCreate, UserUpdate } from '../people/users.ts'
import { WorkspaceCreate } from '../people/workspaces.ts'
import { createRecords, pageQuery, RecordUpdate, upsertRecords } from '../records.ts'
import { BulkResponseItem, bulkResponses, ResponseUpdate } from '../responses.ts'
import { SearchBody } from '../search.ts'
import { SuggestionCreate } from '../suggestions.ts'
import { WebhookCreate } from '../webhooks.ts'
import { defaultLimits } from './limits.ts'
import { toProblems } from './problems.ts'

const id = '00000000-0000-0000-0000-00000000000a'
const problems = (schema: z.ZodType, input: unknown) => {
  const result = schema.safeParse(input)
  return result.success ? [] : toProblems(result.error, 'body', input).map(({ type, loc }) => [type, ...loc])
}
const record = (more: object = {}) => ({ items: [{ fields: { text: 'a' }, ...more }] })
const item = ['body', 'items', 0]

test.each<[z.ZodType, unknown, unknown[]]>([
  [UserCreate, { first_name: ' ', username: 'u', password: '12345678' }, ['string_too_short', 'body', 'first_name']],
  [UserCreate, { first_name: 'a', username: 'u', password: '1234567' }, ['string_too_short', 'body', 'password']],
  [UserUpdate, { first_name: null, role: null }, ['value_error', 'body']],
  [WorkspaceCreate, { name: 'a b' }, ['string_pattern_mismatch', 'body', 'name']],
  [DatasetCreate, { name: 'd' }, ['missing', 'body', 'workspace_id']],
  [DatasetCreate, { name: 'd', workspace_id: 'x' }, ['uuid_parsing', 'body', 'workspace_id']],
  [DatasetCreate, { name: '😀'.repeat(201), workspace_id: id }, ['string_too_long', 'body', 'name']],
  [DatasetUpdate, { distribution: { strategy: 'overlap' } }, ['missing', 'body', 'distribution', 'min_submitted']],
  [DatasetUpdate, { distribution: { strategy: 'all', min_submitted: 1 } }, ['literal_error', 'body', 'distribution', 'strategy']],
  [DatasetUpdate, { guidelines: '' }, ['string_too_short', 'body', 'guidelines']],
  [createRecords.body, { items: [] }, ['too_short', 'body', 'items']],
  [createRecords.body, { items: Array(501).fill({ fields: { a: 'b' } }) }, ['too_long', 'body', 'items']],
  [createRecords.body, { items: [{}] }, ['missing', ...item, 'fields']],
  [createRecords.body, record({ fields: null }), ['dict_type', ...item, 'fields']],
  [createRecords.body, record({ fields: { text: 1 } }), ['string_type', ...item, 'fields', 'text']],
  [createRecords.body, record({ fields: { chat: [{ role: 'user' }] } }), ['value_error', ...item, 'fields']],
  [createRecords.body, record({ external_id: true }), ['string_type', ...item, 'external_id']],
  [createRecords.body, { items: [1, 2].map(() => ({ fields: { a: 'b' }, external_id: 'x' })) }, ['value_error', 'body', 'items']],
  [createRecords.body, record({ vectors: { v: null } }), ['list_type', ...item, 'vectors', 'v']],
  [createRecords.body, record({ vectors: { v: ['x'] } }), ['float_parsing', ...item, 'vectors', 'v', 0]],
  [createRecords.body, record({ metadata: { a: '\0' } }), ['value_error', ...item, 'metadata', 'a']],
  [
    createRecords.body,
    record({ responses: [{ user_id: id, status: 'draft' }] }),
    ['missing', ...item, 'responses', 0, 'draft', 'values'],
  ],
  [
    upsertRecords.body,
    record({ responses: [1, 2].map(() => ({ user_id: id, status: 'discarded' })) }),
    ['value_error', ...item, 'responses'],
  ],
  [RecordUpdate(defaultLimits), { suggestions: null }, ['value_error', 'body']],
  [ResponseUpdate, { status: 'submitted' }, ['missing', 'body', 'submitted', 'values']],
  [ResponseUpdate, { status: 'pending' }, ['union_tag_invalid', 'body']],
  [ResponseUpdate, { status: 'draft', values: { q: { value: null } } }, ['value_error', 'body', 'draft', 'values', 'q', 'value']],
  [
    ResponseUpdate,
    { status: 'draft', values: { q: { value: 1.5 } } },
    ['int_from_float', 'body', 'draft', 'values', 'q', 'value'],
  ],
  [ResponseUpdate, { status: 'draft', values: { q: {} } }, ['missing', 'body', 'draft', 'values', 'q', 'value']],
  [ResponseUpdate, { status: 'draft', values: { q: 'a' } }, ['model_attributes_type', 'body', 'draft', 'values', 'q']],
  [
    ResponseUpdate,
    { status: 'draft', values: { q: { value: [{ label: 'a', start: 2, end: 1 }] } } },
    ['value_error', 'body', 'draft', 'values', 'q', 'value', 0],
  ],
  [bulkResponses.body, { items: Array(101).fill({ record_id: id, status: 'discarded' }) }, ['too_long', 'body', 'items']],
  [BulkResponseItem, { record_id: 'x', status: 'discarded' }, ['uuid_parsing', 'body', 'discarded', 'record_id']],
  [SuggestionCreate, { question_id: id, value: 'a', agent: '--' }, ['string_pattern_mismatch', 'body', 'agent']],
  [SuggestionCreate, { question_id: id, value: 'a', score: 1.1 }, ['less_than_equal', 'body', 'score']],
  [SuggestionCreate, { question_id: id, value: 'a', score: [] }, ['too_short', 'body', 'score']],
  [SearchBody, { query: { vector: { name: 'v' } } }, ['value_error', 'body', 'query', 'vector']],
  [SearchBody, { query: { vector: { name: 'v', record_id: id, value: [1] } } }, ['value_error', 'body', 'query', 'vector']],
  [
    SearchBody,
    { filters: { and: [{ type: 'range', scope: { entity: 'metadata', metadata_property: 'm' }, ge: 2, le: 1 }] } },
    ['value_error', 'body', 'filters', 'and', 0, 'range'],
  ],
  [
    SearchBody,
    { filters: { and: [{ type: 'terms', scope: { entity: 'record', property: 'x' }, values: ['a'] }] } },
    ['literal_error', 'body', 'filters', 'and', 0, 'terms', 'scope', 'record', 'property'],
  ],
  [
    SearchBody,
    { sort: [{ scope: { entity: 'suggestion', question: 'q', property: 'x' }, order: 'asc' }] },
    ['literal_error', 'body', 'sort', 0, 'scope', 'suggestion', 'property'],
  ],
  [
    SearchBody,
    { sort: [{ scope: { entity: 'response', property: 'x' }, order: 'asc' }] },
    ['literal_error', 'body', 'sort', 0, 'scope', 'response', 'property'],
  ],
  [SearchBody, { sort: [{ scope: { entity: 'record', property: 'id' }, order: 'up' }] }, ['enum', 'body', 'sort', 0, 'order']],
  [SearchBody, { query: { vector: { name: 'v', record_id: id, order: 'x' } } }, ['enum', 'body', 'query', 'vector', 'order']],
  [SuggestionCreate, { question_id: id, value: 'a', type: 'x' }, ['enum', 'body', 'type']],
  [UserCreate, { first_name: 'a', username: 'u', password: '12345678', role: 'x' }, ['enum', 'body', 'role']],
  [
    SearchBody,
    { filters: { and: [{ type: 'terms', scope: { entity: 'record', property: 'id' }, values: [true] }] } },
    ['string_type', 'body', 'filters', 'and', 0, 'terms', 'values', 0],
  ],
  [WebhookCreate, { url: 'x', events: ['dataset.created'] }, ['url_parsing', 'body', 'url']],
  [WebhookCreate, { url: 'ftp://x.org', events: ['dataset.created'] }, ['url_scheme', 'body', 'url']],
  [WebhookCreate, { url: 'http://x.org', events: ['ping'] }, ['enum', 'body', 'events', 0]],
  [pageQuery.limit, '1001', ['less_than_equal', 'body']],
])('%# is refused at the invalid part', (schema, input, problem) => {
  expect(problems(schema, input)).toEqual([problem])
})

test('all problems are reported together', () => {
  expect(problems(DatasetCreate, { name: '', allow_extra_metadata: 'maybe' })).toEqual([
    ['string_too_short', 'body', 'name'],
    ['bool_parsing', 'body', 'allow_extra_metadata'],
    ['missing', 'body', 'workspace_id'],
  ])
})

test('unknown keys are ignored', () => {
  const sent = { id: null, inserted_at: null, status: 'ready', name: 'd', workspace_id: id, guidelines: null }
  expect(DatasetCreate.parse(sent)).toEqual({
    name: 'd',
    workspace_id: id,
    guidelines: null,
    allow_extra_metadata: true,
    distribution: { strategy: 'overlap', min_submitted: 1 },
  })
  expect(SearchBody.parse({ filters: { type: 'and', and: null }, query: { text: { q: 1 }, vector: null } })).toEqual({
    filters: { and: null },
    query: { text: { q: '1' }, vector: null },
  })
  const span = { label: 'a', start: 0, end: 1, text: 'x' }
  expect(ResponseUpdate.parse({ status: 'draft', values: { q: { value: [span], by: 'me' } } })).toEqual({
    status: 'draft',
    values: { q: { value: [{ label: 'a', start: 0, end: 1 }] } },
  })
  const ranked = { status: 'draft', values: { r: { value: [{ value: 'x' }] } } }
  expect(ResponseUpdate.parse(ranked)).toEqual({ status: 'draft', values: { r: { value: [{ value: 'x', rank: null }] } } })
  expect(WebhookCreate.parse({ url: 'https://x.com', events: ['record.created'] }).url).toBe('https://x.com/')
})

test('an omitted key differs from a null key', () => {
  expect(RecordUpdate(defaultLimits).parse({})).toEqual({})
  expect(RecordUpdate(defaultLimits).parse({ metadata: null, vectors: null })).toEqual({ metadata: null, vectors: null })
  expect(Object.hasOwn(Object(upsertRecords.body.parse(record()).items[0]), 'metadata')).toBe(false)
})

test('names of built-in object members are ordinary keys', () => {
  const body = JSON.parse('{"items":[{"fields":{"__proto__":"a","constructor":"b"}}]}')
  expect(Object.keys(createRecords.body.parse(body).items[0]!.fields)).toEqual(['__proto__', 'constructor'])
  const values = JSON.parse('{"status":"draft","values":{"__proto__":{"value":"a"}}}')
  expect(Object.keys(ResponseUpdate.parse(values).values ?? {})).toEqual(['__proto__'])
})

test('deeply nested values are refused without a stack overflow', () => {
  const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
  expect(problems(createRecords.body, record({ fields: { custom: { deep } } }))).toEqual([
    ['value_error', ...item, 'fields', 'custom'],
  ])
})

test('500 records with 6 suggestions each are parsed completely', () => {
  const suggestions = Array.from({ length: 6 }, (_, i) => ({
    question_id: id,
    value: i % 2 ? 'a' : ['a', 'b'],
    score: i % 2 ? 0.5 : [0.5, 1],
    agent: 'm',
    type: 'model',
  }))
  const vector = Array.from({ length: 64 }, (_, i) => i / 64)
  const items = Array.from({ length: 500 }, (_, i) => ({
    id: null,
    fields: { name: `record ${i}`, text: 'some text '.repeat(30) },
    metadata: { section: 'a', size: i, length: 0.5 },
    external_id: `r${i}`,
    responses: [],
    suggestions,
    vectors: { v: vector },
  }))
  const parsed = upsertRecords.body.parse({ items })
  expect(parsed.items).toHaveLength(500)
  expect(parsed.items[499]).toMatchObject({ external_id: 'r499', fields: items[499]?.fields, vectors: { v: vector } })
  expect(parsed.items.every((item) => item.suggestions?.length === 6)).toBe(true)
})
