import type { Record as WireRecord } from '@postil/contract/records.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fixture } from '../testing/boot.ts'
import { bootFixture, must } from '../testing/boot.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await bootFixture()
})
afterAll(() => fixture.close())

const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const upsert = async (...items: object[]): Promise<WireRecord[]> => {
  const answer = await fixture.put(items)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.items
}
const one = async (item: object): Promise<WireRecord> => (await upsert(item))[0] as WireRecord
const read = async (id: string): Promise<WireRecord> => must(await fixture.get(id))
const content = ({ fields, metadata, vectors, suggestions, responses, status }: WireRecord) => ({
  fields,
  metadata,
  vectors,
  suggestions,
  responses,
  status,
})

const full = () => ({
  fields: { text: 'first text', note: 'n' },
  metadata: { size: 1, lang: 'en' },
  vectors: { v: [1, 2, 3] },
  suggestions: [
    { question_id: fixture.questions.label, value: 'a', agent: 'm1', score: 0.5, type: 'model' },
    { question_id: fixture.questions.stars, value: 2 },
  ],
  responses: [{ user_id: fixture.ann.id, status: 'draft', values: { label: { value: 'a' } } }],
})

test('a record is found by ID, else by external ID, else created', async () => {
  const made = await one({ ...full(), external_id: 'find me' })
  expect(await one({ id: made.id, metadata: { size: 2 } })).toMatchObject({ id: made.id, metadata: { size: 2 } })
  expect(await one({ external_id: 'find me', metadata: { size: 3 } })).toMatchObject({ id: made.id, metadata: { size: 3 } })
  const other = await one({ fields: { text: 'x' }, external_id: 'other' })
  const both = await one({ id: made.id, external_id: 'other', metadata: { size: 4 } })
  expect(both).toMatchObject({ id: made.id, external_id: 'find me', metadata: { size: 4 } })
  expect(await read(other.id)).toEqual(other)
  const fresh = await one({ id: UNKNOWN, fields: { text: 'new' }, external_id: 'other than before' })
  expect(fresh.id).not.toBe(UNKNOWN)
  expect(fresh).toMatchObject({ external_id: 'other than before', status: 'pending' })
  expect(await one({ id: UNKNOWN, external_id: 'find me', metadata: { size: 5 } })).toMatchObject({ id: made.id })
  expect(await fixture.differences()).toEqual([])
})

test('IDs of records in other datasets are unknown', async () => {
  const made = await one(full())
  const dataset = await fixture.server.createDataset({ workspace_id: fixture.workspace })
  const path = `/datasets/${dataset.id}/records/bulk`
  const items = [{ id: made.id, fields: { text: 'theirs' } }]
  const answer = must(await fixture.server.clientFor(fixture.admin).put<{ items: WireRecord[] }>(path, { items }))
  expect(answer.items[0]?.id).not.toBe(made.id)
  expect(await read(made.id)).toEqual(made)
})

test('omitted parts stay, and sent parts replace or merge', async () => {
  const made = await one(full())
  const same = await one({ id: made.id })
  expect(same).toEqual(made)
  const unchanged = await one({ id: made.id, fields: null, suggestions: null, vectors: null, responses: null })
  expect(unchanged).toEqual(made)
  expect(await one({ id: made.id, suggestions: [], vectors: {}, responses: [] })).toEqual(made)

  const fields = await one({ id: made.id, fields: { text: 'second' } })
  expect(fields.fields).toEqual({ text: 'second' })
  expect(fields.metadata).toEqual(made.metadata)
  expect(fields.updated_at > made.updated_at).toBe(true)
  expect(fields.inserted_at).toBe(made.inserted_at)

  expect(await one({ id: made.id, metadata: {} })).toMatchObject({ metadata: {} })
  expect(await one({ id: made.id, metadata: null })).toMatchObject({ metadata: null })

  const { label, tags } = fixture.questions
  const merged = await one({
    id: made.id,
    suggestions: [
      { question_id: tags, value: ['x'] },
      { question_id: label, value: 'b' },
    ],
    vectors: { w: [1, 0] },
    responses: [
      { user_id: fixture.ann.id, status: 'discarded' },
      { user_id: fixture.bob.id, status: 'draft', values: {} },
    ],
  })
  expect(
    merged.suggestions?.map(({ question_id, value, agent, score, type }) => ({ question_id, value, agent, score, type })),
  ).toEqual([
    { question_id: label, value: 'b', agent: null, score: null, type: null },
    { question_id: fixture.questions.stars, value: 2, agent: null, score: null, type: null },
    { question_id: tags, value: ['x'], agent: null, score: null, type: null },
  ])
  expect(merged.suggestions?.slice(0, 2).map(({ id }) => id)).toEqual(made.suggestions?.map(({ id }) => id))
  expect(merged.vectors).toEqual({ v: [1, 2, 3], w: [1, 0] })
  expect(merged.responses).toMatchObject([
    { id: made.responses?.[0]?.id, status: 'discarded', values: {} },
    { user_id: fixture.bob.id, status: 'draft', values: {} },
  ])
  expect(await read(made.id)).toEqual(merged)
  expect(await fixture.differences()).toEqual([])
})

test('updated_at changes when fields, metadata or status really change, but not for anything else', async () => {
  const made = await one({ ...full(), responses: [] })
  const steady = [
    { fields: { note: 'n', text: 'first text' }, metadata: { lang: 'en', size: 1 } },
    { suggestions: [{ question_id: fixture.questions.label, value: 'b' }] },
    { vectors: { v: [3, 2, 1] } },
    { responses: [{ user_id: fixture.bob.id, status: 'draft', values: { label: { value: 'b' } } }] },
  ]
  for (const item of steady) expect(await one({ id: made.id, ...item })).toMatchObject({ updated_at: made.updated_at })
  // Sending equal content with its keys in a different order changes nothing.
  expect(Object.keys((await read(made.id)).fields)).toEqual(['text', 'note'])
  const submitted = { user_id: fixture.bob.id, status: 'submitted', values: { label: { value: 'b' } } }
  const completed = await one({ id: made.id, responses: [submitted] })
  expect(completed.status).toBe('completed')
  expect(completed.updated_at > made.updated_at).toBe(true)
  const reopened = await one({ id: made.id, responses: [{ ...submitted, status: 'draft' }] })
  expect(reopened.status).toBe('pending')
  expect(reopened.updated_at > completed.updated_at).toBe(true)
  expect(await fixture.differences()).toEqual([])
})

test('a record can be completed as it is created', async () => {
  const values = { label: { value: 'a' } }
  const made = await one({ fields: { text: 'x' }, responses: [{ user_id: fixture.ann.id, status: 'submitted', values }] })
  expect(made.status).toBe('completed')
  expect(made.updated_at > made.inserted_at).toBe(true)
  expect(await read(made.id)).toEqual(made)
})

test('two items for one record are applied in order, and both return its final state', async () => {
  const made = await one({ ...full(), external_id: 'twice' })
  const [first, second] = await upsert(
    {
      id: made.id,
      fields: { text: 'short' },
      metadata: { size: 7 },
      suggestions: [{ question_id: fixture.questions.label, value: 'b' }],
    },
    {
      external_id: 'twice',
      metadata: { size: 8 },
      suggestions: [{ question_id: fixture.questions.words, value: [{ label: 's', start: 0, end: 5 }] }],
      responses: [{ user_id: fixture.ann.id, status: 'submitted', values: { label: { value: 'b' } } }],
    },
  )
  expect(first).toEqual(second)
  expect(first).toMatchObject({ id: made.id, fields: { text: 'short' }, metadata: { size: 8 }, status: 'completed' })
  expect(first?.suggestions).toHaveLength(3)
  // The second item is checked against the first item's text.
  const refused = await fixture.put([
    { id: made.id, fields: { text: 'four' } },
    { external_id: 'twice', suggestions: [{ question_id: fixture.questions.words, value: [{ label: 's', start: 0, end: 5 }] }] },
  ])
  expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringMatching(/position 1 .*4 characters/) } })
  expect((await read(made.id)).fields).toEqual({ text: 'short' })
  expect(await fixture.differences()).toEqual([])
})

test('spans are validated against the text sent with them, else against the stored one', async () => {
  const made = await one({ fields: { text: '12345' } })
  const span = (end: number) => [{ question_id: fixture.questions.words, value: [{ label: 's', start: 0, end }] }]
  expect((await fixture.put([{ id: made.id, suggestions: span(6) }])).status).toBe(422)
  await one({ id: made.id, suggestions: span(5) })
  await one({ id: made.id, fields: { text: '123456' }, suggestions: span(6) })
  expect((await fixture.put([{ id: made.id, fields: { text: '1' }, suggestions: span(2) }])).status).toBe(422)
})

test('the rules are the same as for new records, and a new record needs fields', async () => {
  const made = await one(full())
  const refused: [object, RegExp][] = [
    [{ id: made.id, fields: {} }, /empty/],
    [{ id: made.id, fields: { note: 'x' } }, /`text`/],
    [{ id: made.id, metadata: { size: 101 } }, /`size`/],
    [{ external_id: 'nobody' }, /empty/],
    [{ external_id: 'nobody', fields: null }, /empty/],
  ]
  for (const [item, sentence] of refused) {
    const answer = await fixture.put([{ id: made.id, metadata: { size: 50 } }, item])
    expect(answer, JSON.stringify(item)).toMatchObject({ status: 422, body: { detail: expect.stringMatching(sentence) } })
    expect(answer).toMatchObject({ body: { detail: expect.stringContaining('position 1') } })
  }
  expect(await fixture.put([{ id: 'no uuid' }])).toMatchObject({
    status: 422,
    body: { detail: { params: { errors: [{ type: 'uuid_parsing', loc: ['body', 'items', 0, 'id'] }] } } },
  })
  expect(content(await read(made.id))).toEqual(content(made))
})

test('concurrent bulk requests with the same external IDs create each record once', async () => {
  const items = Array.from({ length: 20 }, (_, i) => ({
    fields: { text: `t${i}` },
    external_id: `race ${i}`,
    metadata: { size: i },
  }))
  const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => fixture.put(i % 2 === 0 ? items : [...items].reverse())))
  const ids = answers.map(({ body }, i) => (i % 2 === 0 ? body.items : body.items?.toReversed())?.map(({ id }) => id))
  for (const list of ids) expect(list).toEqual(ids[0])
  expect(await fixture.differences()).toEqual([])
})

test('an answer sent back unchanged keeps its version, and its author can build on it', async () => {
  const { server, ann } = fixture
  const made = await one({ ...full(), external_id: 'sent-back' })
  const [{ id, user_id, status, values }] = made.responses as [NonNullable<WireRecord['responses']>[number]]
  const back = await one({ external_id: 'sent-back', fields: made.fields, responses: [{ user_id, status, values }] })
  expect(back.responses).toEqual(made.responses)
  expect(must(await server.clientFor(server.owner).get(`/records/${made.id}/history`))).toMatchObject({ items: [] })
  const ownChange = { mutation_id: crypto.randomUUID(), base_version: 1, status: 'submitted', values: { label: { value: 'b' } } }
  const answer = await server.clientFor(ann).put(`/records/${made.id}/responses/mine`, ownChange)
  expect(answer).toMatchObject({ status: 200, body: { id, version: 2 } })
  // The answer has changed in the meantime, so sending the old version again is a change and is stored in the history.
  await one({ external_id: 'sent-back', responses: [{ user_id, status, values }] })
  const { items } = must(await server.clientFor(server.owner).get<{ items: object[] }>(`/records/${made.id}/history`))
  expect(items[0]).toMatchObject({ subject: 'response', before: { version: 2, values: { label: { value: 'b' } } } })
  expect(await fixture.differences()).toEqual([])
})

test('rankings sent back without ranks, as by the SDK, keep their ranks', async () => {
  const { id: user_id } = fixture.ann
  const answer = (status: string, order: object[]) => ({
    user_id,
    status,
    values: { label: { value: 'a' }, order: { value: order } },
  })
  const ranked = (...ranks: number[]) => ['q', 'p'].slice(0, ranks.length).map((value, i) => ({ value, rank: ranks[i] }))
  const bare = (...values: string[]) => values.map((value) => ({ value }))
  for (const [status, order] of [
    ['submitted', ranked(1, 1)],
    ['submitted', ranked(2, 1)],
    ['draft', ranked(2)],
  ] as const) {
    const sent = (item: object) => fixture.put([{ external_id: 'ranked', fields: { text: 'ranked' }, responses: [item] }])
    const [made] = must(await sent(answer(status, order))).items
    const [back] = must(await sent(answer(status, bare(...order.map(({ value }) => value))))).items
    expect(back?.responses).toEqual(made?.responses)
    expect((await sent(answer('submitted', bare('p', 'q')))).status).toBe(422)
  }
})
