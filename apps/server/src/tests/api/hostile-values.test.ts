import type { User } from '@postil/contract/people/users.ts'
import type { Record } from '@postil/contract/records.ts'
import type { SearchResult } from '@postil/contract/search.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { problemsIn } from './testing/bodies.ts'
import { must, partsOf, type Rich } from './testing/fixture.ts'

let server: TestServer
let owner: Client
let rich: Rich
let path: string
beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
  const dataset = await server.createDataset({
    fields: [
      { name: 'text', required: true, settings: { type: 'text' } },
      { name: 'image', settings: { type: 'image' } },
      { name: 'custom', settings: { type: 'custom', template: '' } },
    ],
    questions: [
      { name: 'say', required: true, settings: { type: 'text' } },
      { name: 'stars', settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }] } },
    ],
    metadata_properties: [
      { name: 'term', settings: { type: 'terms' } },
      { name: 'ratio', settings: { type: 'float' } },
      { name: 'size', settings: { type: 'integer' } },
    ],
    vectors_settings: [{ name: 'v', dimensions: 3 }],
  })
  rich = await partsOf(owner, dataset)
  path = `/datasets/${dataset.id}/records`
})
afterAll(() => server.close())

const add = (record: object) => owner.post<{ items: Record[] }>(`${path}/bulk`, { items: [{ fields: { text: 'x' }, ...record }] })
const addRaw = (record: string) => owner.post<{ items: Record[] }>(`${path}/bulk`, `{"items":[${record}]}`)
const stored = async (id: string) => must(await owner.get<Record>(`/records/${id}`))
const search = (body: object) => owner.post<SearchResult>(`${path}/search?limit=5`, body)

/** Creates incompressible text, because the size limit of index entries applies after compression. */
const noise = (length: number) =>
  Array.from({ length }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919 + (i >> 3) * 104_729) % 20_000))).join('')

describe('long texts', () => {
  it('are stored and found wherever the wire sets no limit', async () => {
    const long = noise(40_000)
    const record = must(
      await add({ external_id: long, metadata: { term: [long, 'short'], [long]: long }, fields: { text: long } }),
    ).items[0]!
    expect(await stored(record.id)).toEqual(record)
    expect(record).toMatchObject({ external_id: long, metadata: { term: [long, 'short'], [long]: long }, fields: { text: long } })
    for (const scope of [
      { entity: 'record', property: 'external_id' },
      { entity: 'metadata', metadata_property: 'term' },
    ]) {
      const ids = async (value: string) => {
        const filters = { and: [{ type: 'terms', scope, values: [value] }] }
        return must(await search({ filters })).items.map((item) => item.record.id)
      }
      expect(await ids(long)).toEqual([record.id])
      expect(await ids(`${long}x`)).toEqual([])
      expect(await ids(long.slice(0, -1))).toEqual([])
    }
    const again = await owner.put<{ items: Record[] }>(`${path}/bulk`, { items: [{ external_id: long, fields: { text: 'y' } }] })
    expect(must(again).items[0]?.id).toBe(record.id)
    const values = { say: { value: long } }
    expect(await owner.post(`/records/${record.id}/responses`, { status: 'submitted', values })).toMatchObject({
      body: { values },
    })
  })

  test.each([500, 501, 40_000])('with %i letters in names of users and workspaces, which must be unique', async (length) => {
    const statusOf = length > 500 ? 422 : 201
    const name = noise(length)
    const user = await owner.post('/users', { first_name: name, last_name: name, username: name, password: 'long enough' })
    const workspace = await owner.post('/workspaces', { name: Buffer.from(name).toString('hex').slice(0, length) })
    expect([user.status, workspace.status]).toEqual([statusOf, statusOf])
    expect((await owner.get(`/me/datasets?name=${encodeURIComponent(name.slice(0, 1000))}`)).status).toBe(200)
    const sign = new URLSearchParams({ username: name, password: name.slice(0, 100) })
    const { status } = await fetch(`${server.url}/api/v1/token`, { method: 'POST', body: sign })
    expect([401, 413]).toContain(status)
  })
})

describe('numbers', () => {
  const extreme = [0, 0.1, 0.30000000000000004, 5e-324, 1.7976931348623157e308, -1e-7, 123456789012345680000, 1 / 3, 2 ** 53 - 1]

  it('are returned exactly as they were sent', async () => {
    for (const number of extreme) {
      const integral = Number.isInteger(number)
      const metadata = { ratio: number, ...(Number.isSafeInteger(number) && { size: number, term: [number], deep: { number } }) }
      const vector = [number, 1, -number]
      const sent = { metadata, vectors: { v: vector }, fields: { text: 'x', ...(!integral && { custom: { number } }) } }
      const record = must(await add(sent)).items[0]!
      expect([record.metadata, record.vectors, record.fields]).toEqual([metadata, { v: vector.map((n) => n + 0) }, sent.fields])
      expect(await stored(record.id)).toEqual(record)
      const similar = must(await search({ query: { vector: { name: 'v', value: vector } } })).items[0]
      expect(Math.abs((similar?.query_score ?? 0) - 1)).toBeLessThan(1e-6)
      const scope = { entity: 'metadata', metadata_property: 'ratio' }
      for (const filter of [
        { type: 'terms', scope, values: [number] },
        { type: 'terms', scope, values: [String(number)] },
        { type: 'range', scope, ge: number, le: number },
      ]) {
        const hits = must(await search({ filters: { and: [filter] } })).items.map((item) => item.record.id)
        expect([filter, hits]).toEqual([filter, [record.id]])
      }
    }
  })

  it.each(['1e400', '-1e400', '[1e400]', '{"a": 9007199254740993}', '9007199254740993'])(
    '%s can’t be stored exactly',
    async (number) => {
      const places = [`"metadata": {"extra": ${number}}`, `"metadata": {"size": ${number}}`, `"metadata": {"term": ${number}}`]
      for (const place of [...places, `"fields": {"text": "x", "custom": {"a": ${number}}}`]) {
        const isLast = place.startsWith('"fields"')
        const { status, body } = await addRaw(`{${isLast ? '' : '"fields": {"text": "x"}, '}${place}}`)
        expect([place, status, JSON.stringify(body).includes('detail')]).toEqual([place, 422, true])
      }
      const vector = await addRaw(`{"fields": {"text": "x"}, "vectors": {"v": [1, 2, ${number}]}}`)
      expect(vector.status).toBe(number === '9007199254740993' ? 201 : 422)
      const id = await addRaw(`{"fields": {"text": "x"}, "external_id": ${number}}`)
      expect(id.status).toBe(422)
      const dataset = await owner.patch(`/datasets/${rich.dataset.id}`, `{"metadata": {"a": ${number}}}`)
      expect(dataset.status).toBe(422)
    },
  )

  it('that overflow are rejected in every number of a body and a query', async () => {
    const property = `{"name": "p", "title": "P", "settings": {"type": "float", "min": 1e400}}`
    expect(problemsIn(await owner.post(`/datasets/${rich.dataset.id}/metadata-properties`, property))).toEqual([
      ['finite_number', 'body', 'settings', 'float', 'min'],
    ])
    const range = `{"filters": {"and": [{"type": "range", "scope": {"entity": "metadata", "metadata_property": "ratio"}, "ge": 1e400}]}}`
    expect(problemsIn(await search(range as unknown as object))).toEqual([
      ['float_type', 'body', 'filters', 'and', 0, 'range', 'ge'],
    ])
    for (const page of [
      'offset=1e400',
      'offset=99999999999999999999',
      'limit=1e3',
      'limit=٣',
      'offset=0x10',
      'offset=1_0',
      'offset=',
    ]) {
      expect((await owner.get(`${path}?${page}`)).status).toBe(422)
    }
    expect((await owner.get(`${path}?offset=9007199254740991`)).body).toMatchObject({ items: [] })
  })
})

describe('objects', () => {
  const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as { [key: string]: never }

  it('are stored up to the depth that the wire allows, and rejected beyond it', async () => {
    const deep = nested(99)
    const record = must(await add({ metadata: { deep }, fields: { text: 'x', custom: deep } })).items[0]!
    expect([record.metadata, record.fields]).toEqual([{ deep }, { text: 'x', custom: deep }])
    expect(await stored(record.id)).toEqual(record)
    expect(problemsIn(await add({ metadata: { deep: nested(101) } }))).toEqual([
      ['value_error', 'body', 'items', 0, 'metadata', 'deep'],
    ])
    expect(problemsIn(await add({ fields: { text: 'x', custom: nested(101) } }))).toEqual([
      ['value_error', 'body', 'items', 0, 'fields', 'custom'],
    ])
    expect(problemsIn(await owner.patch(`/datasets/${rich.dataset.id}`, { metadata: nested(102) }))).toEqual([
      ['value_error', 'body', 'metadata'],
    ])
  })

  it('can have very many keys', async () => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key ${i}`, i]))
    const record = must(await add({ metadata: wide, fields: { text: 'x', custom: wide } })).items[0]!
    expect([record.metadata, record.fields.custom]).toEqual([wide, wide])
  })

  it('whose keys JavaScript objects inherit change only themselves', async () => {
    const polluted = '{"__proto__": {"role": "owner", "polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}'
    const user = `{"first_name": "P", "username": "polluter", "password": "long enough", ${polluted.slice(1)}`
    expect(must(await owner.post<User>('/users', user)).role).toBe('annotator')
    const sent = `{"fields": {"text": "x", "custom": ${polluted}}, "metadata": ${polluted}, "__proto__": {"external_id": "inherited"}}`
    const record = must(await addRaw(sent)).items[0]!
    expect(record.external_id).toBeNull()
    const own = JSON.parse(polluted) as object
    expect([Object.entries(record.metadata ?? {}), Object.entries(record.fields.custom ?? {})]).toEqual([
      Object.entries(own),
      Object.entries(own),
    ])
    const inherited = '{"__proto__": {"status": "draft", "values": {}}}'
    expect(problemsIn(await owner.post(`/records/${record.id}/responses`, inherited))).toEqual([['missing', 'body', 'status']])
    expect(problemsIn(await owner.post(`/datasets/${rich.dataset.id}/fields`, '{"__proto__": {"name": "f"}}'))[0]).toEqual([
      'missing',
      'body',
      'name',
    ])
    must(await owner.get('/me/datasets?__proto__[polluted]=1&constructor[prototype][polluted]=1'))
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})

describe('text that no database stores unchanged', () => {
  const broken = ['a\0b', '\ud83d', 'x\udc00', '\0']
  test.each(broken)('%s matches nothing in a query and causes no error', async (text) => {
    const encoded = text === '\ud83d' ? '%ED%A0%BD' : text === 'x\udc00' ? 'x%ED%B0%80' : encodeURIComponent(text)
    expect(await owner.get(`/me/datasets?name=${encoded}`)).toMatchObject({ status: 200, body: { items: [] } })
    expect((await owner.get(`/jobs/${encoded}`)).status).toBe(404)
    expect((await owner.get(`/oauth2/providers/${encoded}/access-token?code=${encoded}&state=${encoded}`)).status).toBe(404)
    expect(await owner.get(`${path}?limit=1&include=vectors:${encoded}`)).toMatchObject({ status: 200 })
    const terms = (scope: object) => ({ filters: { and: [{ type: 'terms', scope, values: [text] }] } })
    const record = { entity: 'record' }
    for (const body of [
      { query: { text: { q: text.includes('0b') ? text : `${text}z` } } },
      terms({ entity: 'metadata', metadata_property: 'term' }),
      ...['id', 'external_id', 'status'].map((property) => terms({ ...record, property })),
      ...['agent', 'type'].map((property) => terms({ entity: 'suggestion', question: 'say', property })),
      terms({ entity: 'response', property: 'status' }),
    ]) {
      expect([body, (await search(body)).body]).toEqual([body, { items: [], total: 0 }])
    }
    for (const body of [
      { query: { text: { q: 'x', field: text } } },
      { query: { vector: { name: text, value: [1, 2, 3] } } },
      terms({ entity: 'metadata', metadata_property: text }),
      terms({ entity: 'response', question: text }),
      terms({ entity: 'metadata', metadata_property: 'ratio' }),
      terms({ entity: 'record', property: 'inserted_at' }),
    ]) {
      expect([body, (await search(body)).status]).toEqual([body, 422])
    }
  })
})
