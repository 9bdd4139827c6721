import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { Suggestion } from '@postil/contract/suggestions.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fixture } from '#features/records/testing/boot.ts'
import { bootFixture, must } from '#features/records/testing/boot.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await bootFixture()
})
afterAll(() => fixture.close())

const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const as = (user: TestUser = fixture.admin) => fixture.server.clientFor(user)
const put = (record: WireRecord, body: object, user?: TestUser) =>
  as(user).put<Suggestion>(`/records/${record.id}/suggestions`, body)
const list = async (record: WireRecord): Promise<Suggestion[]> =>
  must(await as().get<{ items: Suggestion[] }>(`/records/${record.id}/suggestions`)).items

test('a suggestion is created, then replaced with the same ID, and the record stays unchanged', async () => {
  const { label } = fixture.questions
  const record = await fixture.make({})
  const first = await put(record, {
    id: UNKNOWN,
    question_id: label,
    value: 'a',
    score: 0.5,
    agent: 'm',
    type: 'human',
    extra: 1,
  })
  expect(first).toMatchObject({ status: 201, body: { question_id: label, value: 'a', score: 0.5, agent: 'm', type: 'human' } })
  expect(first.body.id).not.toBe(UNKNOWN)
  expect(first.body.updated_at).toBe(first.body.inserted_at)
  const second = await put(record, { question_id: label, value: 'b' })
  expect(second).toMatchObject({
    status: 200,
    body: { id: first.body.id, value: 'b', score: null, agent: null, type: null, inserted_at: first.body.inserted_at },
  })
  expect(second.body.updated_at > first.body.updated_at).toBe(true)
  expect(await put(record, { question_id: label, value: 'b', type: null })).toEqual({ ...second, headers: expect.anything() })
  expect(await list(record)).toEqual([second.body])
  expect((await fixture.get(record.id)).body).toEqual({ ...record, suggestions: [second.body] })
  expect(await fixture.differences()).toEqual([])
})

test('every question type accepts its values, and dropped keys aren’t stored', async () => {
  const { label, tags, stars, order, words, say } = fixture.questions
  const record = await fixture.make({})
  const taken: [string | undefined, unknown, unknown?][] = [
    [label, '1'],
    [tags, ['z', 'x']],
    [stars, 3],
    [order, [{ value: 'p', more: 1 }], [{ value: 'p', rank: null }]],
    [words, [{ label: 's', start: 6, end: 7, text: '😀' }], [{ label: 's', start: 6, end: 7 }]],
    [say, ''],
  ]
  for (const [question_id, value, stored = value] of taken) {
    expect(await put(record, { question_id, value })).toMatchObject({ status: 201, body: { value: stored } })
  }
  expect((await list(record)).map(({ question_id }) => question_id)).toEqual([label, tags, stars, order, words, say])
  const refused: [string | undefined, unknown][] = [
    [label, 1],
    [tags, []],
    [stars, 4],
    [order, [{ value: 'p' }, { value: 'p' }]],
    [words, [{ label: 's', start: 12, end: 14 }]],
    [say, 1],
  ]
  for (const [question_id, value] of refused) {
    expect(await put(record, { question_id, value })).toMatchObject({ status: 422, body: { detail: expect.any(String) } })
  }
  expect(await list(record)).toHaveLength(6)
  expect(await fixture.differences()).toEqual([])
})

test('the question must belong to the dataset', async () => {
  const record = await fixture.make({})
  const other = await fixture.server.createDataset({ workspace_id: fixture.workspace })
  const { items } = must(await as().get<{ items: { id: string }[] }>(`/datasets/${other.id}/questions`))
  for (const question_id of [UNKNOWN, items[0]?.id]) {
    expect(await put(record, { question_id, value: 'yes' })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining(question_id ?? '') },
    })
  }
  expect(await put(record, { value: 'a' })).toMatchObject({
    status: 422,
    body: { detail: { params: { errors: [{ type: 'missing', loc: ['body', 'question_id'] }] } } },
  })
})

test('suggestions are deleted one at a time, or several per record', async () => {
  const { label, tags, stars } = fixture.questions
  const suggestions = [
    { question_id: label, value: 'a', agent: 'm', score: 1 },
    { question_id: tags, value: ['x'] },
    { question_id: stars, value: 1 },
  ]
  const record = await fixture.make({ suggestions })
  const other = await fixture.make({ suggestions })
  const [first, second, third] = await list(record)
  const [foreign] = await list(other)
  expect(await as().delete(`/suggestions/${first?.id}`)).toMatchObject({ status: 200, body: first })
  expect(await as().delete(`/suggestions/${first?.id}`)).toMatchObject({ status: 404 })
  expect(await list(record)).toEqual([second, third])
  const path = (ids: string) => `/records/${record.id}/suggestions?ids=${ids}`
  expect(await as().delete(path([second?.id, foreign?.id, UNKNOWN].join(',')))).toMatchObject({ status: 204, body: undefined })
  expect(await list(record)).toEqual([third])
  expect(await list(other)).toHaveLength(3)
  for (const ids of ['', 'x', Array.from({ length: 101 }, () => UNKNOWN).join(',')]) {
    expect(await as().delete(path(ids))).toMatchObject({ status: 422, body: { detail: expect.any(String) } })
  }
  expect((await fixture.get(record.id)).body.updated_at).toBe(record.updated_at)
  expect(await fixture.differences()).toEqual([])
})

test('each role has its permissions', async () => {
  const { ann, admin, server } = fixture
  const stranger = await server.createUser()
  const foreignAdmin = await server.createUser({ role: 'admin' })
  const question_id = fixture.questions.label
  const fresh = async () => {
    const record = await fixture.make({ suggestions: [{ question_id, value: 'a' }] })
    return { record, suggestion: record.suggestions?.[0]?.id }
  }
  const calls: [string, (user: TestUser) => Promise<{ status: number }>, readonly string[]][] = [
    ['list', async (user) => as(user).get(`/records/${(await fresh()).record.id}/suggestions`), ['owner', 'admin', 'ann']],
    ['put', async (user) => put((await fresh()).record, { question_id, value: 'b' }, user), ['owner', 'admin']],
    ['delete', async (user) => as(user).delete(`/suggestions/${(await fresh()).suggestion}`), ['owner', 'admin']],
    [
      'delete many',
      async (user) => as(user).delete(`/records/${(await fresh()).record.id}/suggestions?ids=${UNKNOWN}`),
      ['owner', 'admin'],
    ],
  ]
  for (const [name, call, allowed] of calls) {
    for (const [who, user] of Object.entries({ owner: server.owner, admin, ann, foreignAdmin, stranger })) {
      const { status } = await call(user)
      expect([name, who, status === 403, status < 300]).toEqual([name, who, !allowed.includes(who), allowed.includes(who)])
    }
  }
  for (const user of [stranger, admin]) {
    expect((await as(user).get(`/records/${UNKNOWN}/suggestions`)).status).toBe(404)
    expect((await as(user).put(`/records/${UNKNOWN}/suggestions`, { question_id, value: 'a' })).status).toBe(404)
    expect((await as(user).delete(`/records/${UNKNOWN}/suggestions?ids=${UNKNOWN}`)).status).toBe(404)
    expect((await as(user).delete(`/suggestions/${UNKNOWN}`)).status).toBe(404)
  }
})
