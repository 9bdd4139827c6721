import type { Dataset } from '@postil/contract/datasets.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shape } from './testing/arbitraries.ts'

let server: TestServer
let dataset: Dataset
let owner: Client
let annotator: TestUser
let admin: TestUser
let strangers: TestUser[]
let bare: string
let full: string

beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
  dataset = await server.createDataset(shape)
  annotator = await server.createUser({ workspaces: [dataset.workspace_id] })
  admin = await server.createUser({ role: 'admin', workspaces: [dataset.workspace_id] })
  strangers = [await server.createUser(), await server.createUser({ role: 'admin' })]
  const items = [
    { fields: { body: 'a' } },
    { fields: { body: 'b' }, vectors: { v: [1, 2, 3] }, metadata: { lang: 'en', hidden: 'x' } },
  ]
  const made = await owner.post<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records/bulk`, { items })
  ;[bare, full] = made.body.items.map(({ id }) => id) as [string, string]
})
afterAll(() => server.close())

const terms = (scope: object, ...values: unknown[]) => ({ filters: { and: [{ type: 'terms', scope, values }] } })
const range = (scope: object, bounds: object) => ({ filters: { and: [{ type: 'range', scope, ...bounds }] } })
const sort = (scope: object) => ({ sort: [{ scope, order: 'asc' }] })
const vector = (query: object) => ({ query: { vector: query } })
const metadata = (metadata_property: string) => ({ entity: 'metadata', metadata_property })
const record = (property: string) => ({ entity: 'record', property })
const response = (question: string) => ({ entity: 'response', question })
const status = { entity: 'response', property: 'status' }
const suggestion = (question: string, property?: string | null) => ({ entity: 'suggestion', question, property })

const lists = {
  status: 422,
  body: { detail: { code: 'argilla.api.errors::ValidationError', params: { errors: expect.any(Array) } } },
}
const sentence = { status: 422, body: { detail: expect.stringMatching(/./) } }

const search = (body: unknown, user: Client = owner, mine = false) =>
  user.post<{ total: number; items: unknown[] }>(`/${mine ? 'me/' : ''}datasets/${dataset.id}/records/search`, body)

describe('an invalid search', () => {
  it.each([
    ['no vector', vector({ name: 'v' })],
    ['an empty vector', vector({ name: 'v', value: [] })],
    ['two vectors', vector({ name: 'v', value: [1, 2, 3], record_id: '00000000-0000-7000-8000-000000000000' })],
    ['a range without bounds', range(metadata('size'), {})],
    ['null bounds', range(metadata('size'), { ge: null, le: null })],
    ['crossed bounds', range(metadata('size'), { ge: 2, le: 1 })],
    ['crossed text bounds', range(metadata('lang'), { ge: 'b', le: 'a' })],
    ['text bounds that are crossed by code points but not by UTF-16 units', range(metadata('lang'), { ge: '😀', le: 'ﬁ' })],
    ['text bounds that are crossed as numbers', range(metadata('size'), { ge: '10', le: '9' })],
    ['crossed times', range(record('inserted_at'), { ge: '2026-05-02T00:00:00', le: '2026-05-02T01:00:00+02:00' })],
    ['a text bound and a number bound', range(metadata('size'), { ge: '1', le: 2 })],
    ['a bool', terms(metadata('lang'), true)],
    ['no values', terms(metadata('lang'))],
    ['too many values', terms(metadata('lang'), ...Array.from({ length: 251 }, String))],
    ['no filter', { filters: { and: [] } }],
    ['too many filters', { filters: { and: Array.from({ length: 51 }, () => terms(metadata('lang'), 'a').filters.and[0]) } }],
    ['no sort', { sort: [] }],
    ['too many sorts', { sort: Array.from({ length: 11 }, () => sort(record('id')).sort[0]) }],
    ['an unknown entity', terms({ entity: 'user' }, 'a')],
    ['an unknown record property', terms(record('fields'), 'a')],
    ['an unknown filter', { filters: { and: [{ type: 'fuzzy', scope: record('id'), values: ['a'] }] } }],
    ['an unknown order', { sort: [{ scope: record('id'), order: 'up' }] }],
    ['a list', []],
    ['nothing', undefined],
    ['a text without q', { query: { text: {} } }],
  ])('is rejected for its form: %s', async (_, body) => {
    expect(await search(body)).toMatchObject(lists)
  })

  it.each([
    ['an unknown question in a filter', terms(response('none'), 'a')],
    ['an unknown question in a suggestion', terms(suggestion('none'), 'a')],
    ['an unknown question in a sort', sort(suggestion('none', 'score'))],
    ['an unknown property in a filter', terms(metadata('none'), 'a')],
    ['an unknown property in a sort', sort(metadata('none'))],
    ['a property with a NUL', terms(metadata('lang\0'), 'a')],
    ['an unknown field', { query: { text: { q: 'a', field: 'none' } } }],
    ['an unknown vector', vector({ name: 'none', value: [1, 2, 3] })],
    ['an unknown record', vector({ name: 'v', record_id: '00000000-0000-7000-8000-000000000000' })],
    ['a vector that is too short', vector({ name: 'v', value: [1, 2] })],
    ['a vector that is too long', vector({ name: 'v', value: [1, 2, 3, 4] })],
    ['a vector of zeros', vector({ name: 'v', value: [0, 0, 0] })],
    ['a response without a question or property', terms({ entity: 'response' }, 'a')],
    ['a range of statuses', range(status, { ge: 'a' })],
    ['a text instead of an integer', terms(metadata('size'), 'many')],
    ['an empty text instead of an integer', terms(metadata('size'), '')],
    ['a text instead of a float in a range', range(metadata('ratio'), { ge: 'x' })],
    ['an infinite number', terms(metadata('ratio'), '1e999')],
    ['a text instead of a rating', terms(response('stars'), 'good')],
    ['a text instead of a score', range(suggestion('label', 'score'), { le: 'high' })],
    ['an invalid date', terms(record('inserted_at'), 'yesterday')],
    ['an invalid date in a range', range(record('updated_at'), { ge: '2024-13' })],
    ['an ID that is a number too large to be exact', terms(record('external_id'), 2 ** 53 + 2)],
    ['a number too large to be exact among terms', terms(metadata('lang'), 'en', 2 ** 60)],
    ['a number too large to be exact as a bound of IDs', range(record('external_id'), { ge: 2 ** 53 + 2 })],
    ['a sort by response status', sort(status)],
    ['a sort by labels of answers', sort(response('label'))],
    ['a sort by text answers', sort(response('words'))],
    ['a sort by suggested texts', sort(suggestion('words'))],
    ['a sort by suggested rankings', sort(suggestion('order', 'value'))],
  ])('is rejected in this dataset: %s', async (_, body) => {
    expect(await search(body)).toMatchObject(sentence)
    expect(await search(body, server.clientFor(annotator), true)).toMatchObject(sentence)
  })

  it('has its own error code for a record without the vector', async () => {
    const answer = await search(vector({ name: 'v', record_id: bare }))
    expect(answer).toMatchObject({ status: 422, body: { code: 'missing_vector', message: expect.stringMatching(/./) } })
    expect(answer.body).not.toHaveProperty('detail')
  })

  it.each(['offset=-1', 'limit=0', 'limit=1001', 'offset=x'])('%s', async (page) => {
    expect(await owner.post(`/datasets/${dataset.id}/records/search?${page}`, {})).toMatchObject(lists)
  })
  it.each(['include=users', 'include=', 'include=vectors&include=vectors:v'])('%s', async (include) => {
    expect(await owner.post(`/datasets/${dataset.id}/records/search?${include}`, {})).toMatchObject(sentence)
  })
})

describe('a lenient search', () => {
  it.each([
    ['an empty body', {}, 2],
    ['nulls', { query: null, filters: null, sort: null }, 2],
    ['no filters', { filters: {} }, 2],
    ['null filters', { filters: { and: null } }, 2],
    ['unknown keys of other clients', { filters: { type: 'and', and: terms(metadata('lang'), 'en').filters.and }, other: 1 }, 1],
    ['numbers as terms', terms(record('external_id'), 1), 0],
    ['a number as text', { query: { text: { q: 7 } } }, 0],
    ['a blank text', { query: { text: { q: '  ' } } }, 0],
    ['a null text', { query: { text: null, vector: null } }, 2],
    ['syntax characters', { query: { text: { q: '"a | (: -' } } }, 1],
    ['numbers as texts that are crossed only as texts', range(metadata('size'), { ge: '9', le: '10' }), 0],
    ['a day to its year', range(record('inserted_at'), { ge: '2024-05-01', le: '2024' }), 0],
    ['an unknown status', terms(status, 'other'), 0],
    ['a NUL in a value', terms(metadata('lang'), 'en\0'), 0],
    ['a NUL in a text', { query: { text: { q: 'a\0' } } }, 0],
    ['a lone surrogate', terms(record('external_id'), '\ud800'), 0],
    ['an invalid UUID', terms(record('id'), 'nonsense'), 0],
    ['answers to a text question', terms(response('words'), 'a'), 0],
    ['a range of suggested spans', range(suggestion('spans'), { ge: 'a' }), 0],
    ['a suggestion without property', terms(suggestion('label', null), 'a'), 0],
    ['both question and status, where the question wins', terms({ ...response('label'), property: 'status' }, 'pending'), 0],
    ['numbers written in full', terms(metadata('ratio'), '1.50e1'), 0],
    ['a field that is never searched', { query: { text: { q: 'example', field: 'picture' } } }, 0],
    ['a vector with an option that has no effect', vector({ name: 'v', value: [1, 0, 0], max_results: 1 }), 1],
    ['an offset beyond the end', {}, 2, '?offset=100000000000'],
  ])('%s', async (_, body, total, page = '') => {
    const answer = await owner.post<{ total: number }>(`/datasets/${dataset.id}/records/search${page}`, body)
    expect(answer).toMatchObject({ status: 200, body: { total } })
  })

  it('is empty for an unpublished dataset', async () => {
    const draft = await server.createDataset({ publish: false })
    for (const path of [`/datasets/${draft.id}`, `/me/datasets/${draft.id}`]) {
      expect(await owner.post(`${path}/records/search`, {})).toMatchObject({ status: 200, body: { items: [], total: 0 } })
      expect(await owner.post(`${path}/records/search`, vector({ name: 'v', record_id: full }))).toMatchObject(sentence)
    }
  })
})

describe('search permissions', () => {
  const unknown = '00000000-0000-7000-8000-000000000000'
  it('for everyone’s answers: owners and admins of the workspace', async () => {
    for (const user of [server.owner, admin]) expect((await search({}, server.clientFor(user))).status).toBe(200)
    for (const user of [annotator, ...strangers]) expect((await search({}, server.clientFor(user))).status).toBe(403)
    expect((await search({}, server.clientFor(null))).status).toBe(401)
    expect((await server.clientFor(annotator).post(`/datasets/${unknown}/records/search`, {})).status).toBe(404)
  })
  it('for own answers and options: members and owners', async () => {
    for (const user of [server.owner, admin, annotator]) {
      expect((await search({}, server.clientFor(user), true)).status).toBe(200)
      expect((await server.clientFor(user).get(`/datasets/${dataset.id}/records/search/suggestions/options`)).status).toBe(200)
    }
    for (const user of strangers) {
      expect((await search({}, server.clientFor(user), true)).status).toBe(403)
      expect((await server.clientFor(user).get(`/datasets/${dataset.id}/records/search/suggestions/options`)).status).toBe(403)
    }
    expect((await server.clientFor(strangers[0]!).post(`/me/datasets/${unknown}/records/search`, {})).status).toBe(404)
    expect((await owner.get(`/datasets/${unknown}/records/search/suggestions/options`)).status).toBe(404)
  })
  it('for metrics: members and owners, annotators only for visible properties', async () => {
    const { body } = await owner.get<{ items: { id: string; name: string }[] }>(`/me/datasets/${dataset.id}/metadata-properties`)
    const path = (name: string) => `/metadata-properties/${body.items.find((item) => item.name === name)?.id}/metrics`
    for (const user of [server.owner, admin])
      for (const name of ['lang', 'hidden']) expect((await server.clientFor(user).get(path(name))).status).toBe(200)
    expect((await server.clientFor(annotator).get(path('lang'))).status).toBe(200)
    expect((await server.clientFor(annotator).get(path('hidden'))).status).toBe(403)
    for (const user of strangers) expect((await server.clientFor(user).get(path('lang'))).status).toBe(403)
    expect((await owner.get(`/metadata-properties/${unknown}/metrics`)).status).toBe(404)
  })
  it('hide invisible metadata from annotators in filters, sorting and records', async () => {
    for (const body of [terms(metadata('hidden'), 'x'), sort(metadata('hidden'))]) {
      expect(await search(body, server.clientFor(annotator), true)).toMatchObject(sentence)
      expect((await search(body, server.clientFor(admin), true)).status).toBe(200)
    }
    const of = async (user: TestUser) =>
      (await search(terms(record('id'), full), server.clientFor(user), true)).body.items[0] as { record: { metadata: unknown } }
    expect((await of(annotator)).record.metadata).toEqual({ lang: 'en' })
    expect((await of(admin)).record.metadata).toEqual({ lang: 'en', hidden: 'x' })
  })
})
