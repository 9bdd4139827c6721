import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { rowsOf } from '#features/responses/testing/operations.ts'
import type { TableName } from '#platform/db/tables.ts'
import type { Fixture } from './testing/boot.ts'
import { bootFixture, must } from './testing/boot.ts'
import { recordsWithToken } from './testing/operations.ts'

let fixture: Fixture
let stranger: TestUser
let foreignAdmin: TestUser
beforeAll(async () => {
  fixture = await bootFixture()
  stranger = await fixture.server.createUser()
  foreignAdmin = await fixture.server.createUser({ role: 'admin' })
})
afterAll(() => fixture.close())

const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const as = (user: TestUser = fixture.admin) => fixture.server.clientFor(user)
const patch = (id: string, body: object, user?: TestUser) => as(user).patch<WireRecord>(`/records/${id}`, body)
const changed = async (id: string, body: object): Promise<WireRecord> => must(await patch(id, body))

describe('PATCH', () => {
  it('replaces fields, metadata and all suggestions, merges vectors, and changes updated_at', async () => {
    const { questions } = fixture
    const made = await fixture.make({
      external_id: 'patched',
      metadata: { size: 1 },
      vectors: { v: [1, 2, 3] },
      suggestions: [
        { question_id: questions.label, value: 'a' },
        { question_id: questions.stars, value: 2 },
      ],
    })
    const first = await changed(made.id, {
      fields: { text: 'other', more: { k: 'v' } },
      metadata: { size: 2 },
      vectors: { w: [1, 1] },
      suggestions: [
        { question_id: questions.stars, value: 3 },
        { question_id: questions.tags, value: ['x'] },
      ],
      external_id: 'ignored',
      status: 'completed',
      responses: [{ any: 'thing' }],
    })
    expect(first).toMatchObject({
      id: made.id,
      status: 'pending',
      external_id: 'patched',
      fields: { text: 'other', more: { k: 'v' } },
      metadata: { size: 2 },
      vectors: { v: [1, 2, 3], w: [1, 1] },
      responses: [],
      suggestions: [
        { id: made.suggestions?.[1]?.id, question_id: questions.stars, value: 3 },
        { question_id: questions.tags, value: ['x'] },
      ],
    })
    expect(first.suggestions).toHaveLength(2)
    expect((await fixture.get(made.id)).body).toEqual(first)
    const second = await changed(made.id, { metadata: null })
    expect(second.metadata).toBeNull()
    expect(second.updated_at > first.updated_at && first.updated_at > made.updated_at).toBe(true)
    const third = await changed(made.id, { suggestions: [] })
    expect(third.suggestions).toEqual([])
    expect(third.updated_at > second.updated_at).toBe(true)
    const same = await changed(made.id, { fields: third.fields })
    expect(same.updated_at > third.updated_at).toBe(true)
    expect(await fixture.differences()).toEqual([])
  })

  it.each([{}, { vectors: null }, { vectors: {} }, { external_id: 'x', responses: [], status: 'completed' }])(
    'without changes (%j) leaves the record unchanged',
    async (body) => {
      const made = await fixture.make({ vectors: { v: [1, 2, 3] } })
      expect(await patch(made.id, body)).toMatchObject({ status: 200, body: made })
    },
  )

  it('is rejected when it breaks a rule', async () => {
    const { questions } = fixture
    const made = await fixture.make({})
    const refused: [object, unknown][] = [
      [{ fields: {} }, expect.stringContaining('empty')],
      [{ fields: { note: 'x' } }, expect.stringContaining('`text`')],
      [{ metadata: { size: -1 } }, expect.stringContaining('`size`')],
      [{ vectors: { v: [1] } }, expect.stringContaining('3 elements')],
      [{ suggestions: [{ question_id: UNKNOWN, value: 'a' }] }, expect.stringContaining(UNKNOWN)],
      [{ suggestions: [1, 2].map(() => ({ question_id: questions.label, value: 'a' })) }, expect.stringContaining('two')],
      [{ fields: null }, { params: { errors: [{ type: 'value_error', loc: ['body'] }] } }],
      [{ suggestions: null }, { params: { errors: [{ type: 'value_error', loc: ['body'] }] } }],
      [{ vectors: { v: null } }, { params: { errors: [{ type: 'list_type', loc: ['body', 'vectors', 'v'] }] } }],
    ]
    for (const [body, detail] of refused) {
      expect(await patch(made.id, body), JSON.stringify(body)).toMatchObject({ status: 422, body: { detail } })
    }
    expect((await fixture.get(made.id)).body).toEqual(made)
  })
})

describe('deletion', () => {
  const answered = async () => {
    const { ann, bob, questions } = fixture
    const values = { label: { value: 'a' }, stars: { value: 2 } }
    return fixture.make({
      fields: { text: 'unusualword here', talk: [{ role: 'someone', content: 'said' }] },
      metadata: { size: 3, free: 'f' },
      vectors: { v: [1, 2, 3] },
      suggestions: [{ question_id: questions.label, value: 'b', score: 0.1, agent: 'x' }],
      responses: [
        { user_id: ann.id, status: 'submitted', values },
        { user_id: bob.id, status: 'draft', values },
      ],
    })
  }
  const left = async (): Promise<object> => {
    // This query waits until the texts of new records are indexed; `rowsOf` doesn't.
    await fixture.tool.read(recordsWithToken, { dataset_id: fixture.dataset, token: 'none' })
    const tables: TableName[] = ['records', 'record_terms', 'record_numbers', 'suggestions', 'vectors', 'responses']
    const more: TableName[] = ['response_terms', 'response_numbers', 'dataset_tokens', 'leases']
    const counts = [...tables, ...more].map(async (table) => [table, (await fixture.tool.read(rowsOf, { table })).length])
    return Object.fromEntries(await Promise.all(counts))
  }

  it('of one record returns it as it was, without lists, and leaves only history', async () => {
    const before = await left()
    const made = await answered()
    const { responses: _r, suggestions: _s, vectors: _v, ...rest } = made
    const tombstones = await fixture.tool.read(rowsOf, { table: 'response_tombstones' })
    expect(await as().delete(`/records/${made.id}`)).toMatchObject({ status: 200, body: rest })
    expect((await fixture.get(made.id)).status).toBe(404)
    expect(await as().delete(`/records/${made.id}`)).toMatchObject({ status: 404 })
    expect(await left()).toEqual(before)
    expect(await fixture.tool.read(rowsOf, { table: 'response_tombstones' })).toHaveLength(tombstones.length + 2)
    const history = await fixture.tool.read(rowsOf, { table: 'history' })
    expect(history.find(({ subject_id }) => subject_id === made.id)).toMatchObject({
      action: 'delete',
      user_id: fixture.admin.id,
      image: { id: made.id, fields: made.fields, metadata: made.metadata, status: 'completed', updated_at: made.updated_at },
    })
    expect(await fixture.differences()).toEqual([])
  })

  it('of many records skips IDs that are unknown or belong to other datasets', async () => {
    const before = await left()
    const made = [await answered(), await answered(), await answered()]
    const other = await fixture.server.createDataset({ workspace_id: fixture.workspace })
    const foreign = must(
      await as().post<{ items: WireRecord[] }>(`/datasets/${other.id}/records/bulk`, { items: [{ fields: { text: 'x' } }] }),
    )
    const foreignId = foreign.items[0]?.id ?? ''
    const ids = [...made.map(({ id }) => id.toUpperCase()), UNKNOWN, foreignId].join(',')
    const path = `/datasets/${fixture.dataset}/records?ids=${ids}`
    expect(await as().delete(path)).toMatchObject({ status: 204, body: undefined })
    expect(await as().delete(path)).toMatchObject({ status: 204 })
    expect((await fixture.get(foreignId)).status).toBe(200)
    await as().delete(`/records/${foreignId}`)
    expect(await left()).toEqual(before)
    expect(await fixture.differences()).toEqual([])
  })

  it('takes 1 to 100 IDs', async () => {
    const path = `/datasets/${fixture.dataset}/records`
    const many = (count: number) => Array.from({ length: count }, () => UNKNOWN).join(',')
    expect(await as().delete(`${path}?ids=${many(100)}`)).toMatchObject({ status: 204 })
    for (const ids of ['', 'x', `${UNKNOWN},`, many(101)]) {
      expect(await as().delete(`${path}?ids=${ids}`), ids).toMatchObject({ status: 422, body: { detail: expect.any(String) } })
    }
    expect(await as().delete(path)).toMatchObject({
      status: 422,
      body: { detail: { params: { errors: [{ type: 'missing', loc: ['query', 'ids'] }] } } },
    })
  })
})

test('annotators see their own answer and visible metadata only', async () => {
  const { ann, bob, admin, server } = fixture
  const values = { label: { value: 'a' } }
  const made = await fixture.make({
    metadata: { size: 3, ratio: 0.5, extra: true },
    responses: [
      { user_id: ann.id, status: 'submitted', values },
      { user_id: bob.id, status: 'draft', values },
    ],
  })
  const own = made.responses?.filter(({ user_id }) => user_id === ann.id)
  expect(await fixture.get(made.id, ann)).toMatchObject({ status: 200, body: { ...made, metadata: { size: 3 }, responses: own } })
  expect((await fixture.get(made.id, ann)).body.metadata).toEqual({ size: 3 })
  expect((await fixture.get(made.id, ann)).body.responses).toEqual(own)
  for (const user of [admin, server.owner]) expect((await fixture.get(made.id, user)).body).toEqual(made)
  const bare = await fixture.make({ metadata: null })
  expect((await fixture.get(bare.id, ann)).body).toMatchObject({ metadata: null, responses: [] })
  const hidden = await fixture.make({ metadata: { ratio: 1 } })
  expect((await fixture.get(hidden.id, ann)).body.metadata).toEqual({})
})

test('each role has its permissions, and strangers get the right errors', async () => {
  const { ann, admin, server, dataset } = fixture
  const made = await fixture.make({})
  const items = [{ fields: { text: 'x' } }]
  const calls: [string, (user: TestUser) => Promise<{ status: number }>, readonly string[]][] = [
    ['list', (user) => as(user).get(`/datasets/${dataset}/records`), ['owner', 'admin']],
    ['create', (user) => fixture.post(items, user), ['owner', 'admin']],
    ['upsert', (user) => fixture.put(items, user), ['owner', 'admin']],
    ['delete many', (user) => as(user).delete(`/datasets/${dataset}/records?ids=${UNKNOWN}`), ['owner', 'admin']],
    ['get', (user) => fixture.get(made.id, user), ['owner', 'admin', 'ann']],
    ['update', (user) => patch(made.id, { metadata: {} }, user), ['owner', 'admin']],
    ['delete', async (user) => as(user).delete(`/records/${(await fixture.make({})).id}`), ['owner', 'admin']],
  ]
  const users = { owner: server.owner, admin, ann, foreignAdmin, stranger }
  for (const [name, call, allowed] of calls) {
    for (const [who, user] of Object.entries(users)) {
      const { status } = await call(user)
      expect([name, who, status === 403]).toEqual([name, who, !allowed.includes(who)])
      if (allowed.includes(who)) expect([name, who, status < 300]).toEqual([name, who, true])
    }
  }
  const nobody = server.clientFor(null)
  expect((await nobody.get(`/records/${made.id}`)).status).toBe(401)
  // A missing resource takes precedence over a missing permission.
  for (const user of [stranger, admin]) {
    expect((await fixture.get(UNKNOWN, user)).status).toBe(404)
    expect((await patch(UNKNOWN, {}, user)).status).toBe(404)
    expect((await as(user).delete(`/records/${UNKNOWN}`)).status).toBe(404)
    expect((await as(user).get(`/datasets/${UNKNOWN}/records`)).status).toBe(404)
    expect((await as(user).post(`/datasets/${UNKNOWN}/records/bulk`, { items })).status).toBe(404)
  }
})

test('records of a deleted dataset return 404', async () => {
  const dataset = await fixture.server.createDataset({ workspace_id: fixture.workspace })
  const path = `/datasets/${dataset.id}/records`
  const made = must(await as().post<{ items: WireRecord[] }>(`${path}/bulk`, { items: [{ fields: { text: 'x' } }] }))
  await as().delete(`/datasets/${dataset.id}`)
  const id = made.items[0]?.id ?? ''
  expect((await fixture.get(id)).status).toBe(404)
  expect((await patch(id, { metadata: {} })).status).toBe(404)
  expect((await as().get(path)).status).toBe(404)
  expect((await as().put(`${path}/bulk`, { items: [{ fields: { text: 'x' } }] })).status).toBe(404)
})
