import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { Fixture, Refusal } from '../testing/boot.ts'
import { bootFixture, must } from '../testing/boot.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await bootFixture()
})
afterAll(() => fixture.close())

const text = { text: 'héllo 😀 world' }
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

test('a bulk request returns its records in order with all sent values, always with all three lists', async () => {
  const { questions, ann } = fixture
  const item = {
    id: UNKNOWN,
    status: 'completed',
    inserted_at: '2020-01-01T00:00:00',
    fields: { more: { b: [1, { c: null }], a: 'x' }, text: 'one', talk: [{ role: 'user', content: 'hi', extra: 1 }], note: null },
    metadata: { size: 5, extra: { deep: [1, '2'] }, lang: ['de', 1] },
    external_id: 17,
    suggestions: [
      {
        id: UNKNOWN,
        question_name: 'x',
        question_id: questions.tags,
        value: ['y', 'x'],
        score: [0.25, 1],
        agent: 'a b/c-1',
        type: 'model',
      },
      { question_id: questions.words, value: [{ label: 's', start: 0, end: 3, text: 'one' }] },
      { question_id: questions.order, value: [{ value: 'q', foo: 1 }], agent: null, score: null, type: null },
    ],
    responses: [{ user_id: ann.id, status: 'draft', values: { say: { value: 'hm' } } }],
    vectors: { w: [0.5, '2'], v: [1, -2.25, 3e-10] },
  }
  const created = await fixture.post([item, { fields: { text: 'two' } }])
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  const [first, second] = created.body.items
  expect(first).toMatchObject({
    status: 'pending',
    fields: { more: { b: [1, { c: null }], a: 'x' }, text: 'one', talk: [{ role: 'user', content: 'hi' }], note: null },
    metadata: { size: 5, extra: { deep: [1, '2'] }, lang: ['de', 1] },
    external_id: '17',
    dataset_id: fixture.dataset,
    vectors: { w: [0.5, 2], v: [1, -2.25, 3e-10] },
    suggestions: [
      { question_id: questions.tags, value: ['y', 'x'], score: [0.25, 1], agent: 'a b/c-1', type: 'model' },
      { question_id: questions.words, value: [{ label: 's', start: 0, end: 3 }], score: null, agent: null, type: null },
      { question_id: questions.order, value: [{ value: 'q', rank: null }] },
    ],
    responses: [{ user_id: ann.id, status: 'draft', values: { say: { value: 'hm' } } }],
  })
  expect(first?.id).not.toBe(UNKNOWN)
  expect(first?.fields.talk).toEqual([{ role: 'user', content: 'hi' }])
  expect(Object.keys(first?.fields ?? {})).toEqual(['more', 'text', 'talk', 'note'])
  expect(second).toMatchObject({
    metadata: null,
    external_id: null,
    responses: [],
    suggestions: [],
    vectors: {},
    fields: { text: 'two' },
  })
  expect(second?.updated_at).toBe(second?.inserted_at)
  expect(second && first && second.inserted_at > first.inserted_at).toBe(true)
  expect((await fixture.get(first?.id ?? '')).body).toEqual(first)
  expect((await fixture.get(second?.id ?? '')).body).toEqual(second)
  expect(await fixture.differences()).toEqual([])
})

test('the first invalid item aborts the request, and its position is reported', async () => {
  const before = await fixture.server.clientFor(fixture.admin).get(`/datasets/${fixture.dataset}/records?limit=1`)
  const refused = await fixture.post([{ fields: text }, { fields: { text: 'x', unknown: 'y' } }, { fields: {} }])
  expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringMatching(/position 1 .*`unknown`/) } })
  const after = await fixture.server.clientFor(fixture.admin).get(`/datasets/${fixture.dataset}/records?limit=1`)
  expect(after.body).toEqual(before.body)
  expect(await fixture.differences()).toEqual([])
})

test('external IDs are unique within a request and a dataset: null can repeat, and an empty string counts as an ID', async () => {
  const twice = await fixture.post([
    { fields: text, external_id: 'same' },
    { fields: text, external_id: 'same' },
  ])
  expect(twice).toMatchObject({
    status: 422,
    body: { detail: { params: { errors: [{ type: 'value_error', loc: ['body', 'items'] }] } } },
  })
  must(await fixture.post([{ fields: text, external_id: '' }, { fields: text, external_id: null }, { fields: text }]))
  const long = 'é'.repeat(5000)
  must(
    await fixture.post([
      { fields: text, external_id: long },
      { fields: text, external_id: `${long}x` },
    ]),
  )
  for (const external_id of ['', long, `${long}x`]) {
    const taken = await fixture.post([{ fields: text }, { fields: text, external_id }])
    expect(taken).toMatchObject({ status: 422, body: { detail: expect.stringContaining(external_id.slice(0, 50)) } })
  }
})

test('external IDs are checked before the items, and the dataset’s state before both', async () => {
  await fixture.make({ external_id: 'judged' })
  const refused = await fixture.post([{ fields: {} }, { fields: text, external_id: 'judged' }])
  expect((refused.body as unknown as Refusal).detail).toContain('judged')
  const draft = await fixture.server.createDataset({ publish: false })
  for (const method of ['post', 'put'] as const) {
    const admin = fixture.server.clientFor(fixture.server.owner)
    const answer = await admin[method](`/datasets/${draft.id}/records/bulk`, { items: [{ fields: {} }] })
    expect(answer).toMatchObject({ status: 422, body: { detail: expect.stringContaining('not published') } })
  }
})

describe('fields', () => {
  const messages = (count: number) => Array.from({ length: count }, () => ({ role: 'u', content: 'c' }))
  it.each<[string, object]>([
    ['an empty text', { text: '' }],
    ['null for an optional field', { text: 'x', note: null, picture: null, talk: null, more: null }],
    ['an empty conversation and object', { text: 'x', talk: [], more: {} }],
    ['500 messages', { text: 'x', talk: messages(500) }],
    ['an image URL', { text: 'x', picture: 'https://example.org/a.png' }],
    ['an image as a data URL', { text: 'x', picture: `data:image/png;base64,${'A'.repeat(300_000)}` }],
    ['a text that looks like an image', { text: `data:image/png;base64,${'A b'.repeat(2_000)}` }],
    ['keys with names of object properties', { text: 'x', more: { constructor: 1, toString: 2 } }],
  ])('%s is accepted and returned', async (_, fields) => {
    expect((await fixture.make({ fields })).fields).toEqual(fields)
    expect(await fixture.differences()).toEqual([])
  })

  it.each<[string, object, string | RegExp]>([
    ['an object without keys', {}, /empty/],
    ['a missing required field', { note: 'x' }, /`text`/],
    ['null for a required field', { text: null }, /`text`/],
    ['an unknown field', { text: 'x', other: 'y' }, /`other`/],
    ['null for an unknown field', { text: 'x', other: null }, /`other`/],
    ['an object for a text', { text: {} }, /`text`/],
    ['a conversation for a text', { text: [] }, /`text`/],
    ['a relative URL', { text: 'x', picture: 'a.png' }, /`picture`/],
    ['an object for an image', { text: 'x', picture: {} }, /`picture`/],
    ['a text for a conversation', { text: 'x', talk: 'hi' }, /`talk`/],
    ['a list for an object', { text: 'x', more: [] }, /`more`/],
    ['a missing field before an unknown one', { other: 'x' }, /`text`/],
  ])('%s is rejected with a message', async (_, fields, sentence) => {
    const refused = await fixture.post([{ fields }])
    expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringMatching(sentence) } })
    expect((refused.body as unknown as Refusal).detail).toContain('position 0')
  })

  it.each<[string, unknown, unknown[]]>([
    ['no fields', undefined, ['missing', 'items', 0, 'fields']],
    ['null', null, ['dict_type', 'items', 0, 'fields']],
    ['a number for a text', { text: 1 }, ['string_type', 'items', 0, 'fields', 'text']],
    ['an invalid message', { text: 'x', talk: [{ role: 'u' }] }, ['value_error', 'items', 0, 'fields']],
    ['501 messages', { text: 'x', talk: messages(501) }, ['value_error', 'items', 0, 'fields']],
    ['a lone surrogate', { text: '\ud800' }, ['value_error', 'items', 0, 'fields', 'text']],
    ['a large integer', { text: 'x', more: { a: 2 ** 53 } }, ['value_error', 'items', 0, 'fields', 'more']],
  ])('%s is rejected by the schema', async (_, fields, problem) => {
    const { status, body } = await fixture.post([{ fields }])
    const { errors } = (body as unknown as { detail: { params: { errors: { type: string; loc: unknown[] }[] } } }).detail.params
    expect([status, errors.map(({ type, loc }) => [type, ...loc.slice(1)])]).toEqual([422, [problem]])
  })
})

describe('metadata', () => {
  it.each<[string, object | null]>([
    ['null', null],
    ['nothing', {}],
    ['null for a property', { lang: null, size: null }],
    ['a term', { lang: 'en' }],
    ['a list', { lang: ['de', 1], free: [{ any: 'thing' }, null] }],
    ['the limits of a range', { size: 0, ratio: 1 }],
    ['an integer for a float', { ratio: -1, size: 100 }],
    ['unknown keys', { unknown: { a: [null] }, other: null }],
  ])('%s is accepted and returned', async (_, metadata) => {
    expect((await fixture.make({ metadata })).metadata).toEqual(metadata)
  })

  it.each<[string, object]>([
    ['a term that is not an allowed value', { lang: 'fr' }],
    ['a list with a disallowed term', { lang: ['en', '1'] }],
    ['a number below the range', { size: -1 }],
    ['a fraction', { size: 1.5 }],
    ['a number above the range', { ratio: 1.01 }],
    ['a text for a number', { ratio: '0.5' }],
  ])('%s is rejected', async (_, metadata) => {
    expect(await fixture.post([{ fields: text, metadata }])).toMatchObject({ status: 422, body: { detail: expect.any(String) } })
  })

  it('accepts only defined properties if the dataset says so', async () => {
    const strict = await fixture.server.createDataset({
      allow_extra_metadata: false,
      metadata_properties: [{ name: 'p', settings: { type: 'terms' } }],
    })
    const owner = fixture.server.clientFor(fixture.server.owner)
    const send = (metadata: object) => owner.post(`/datasets/${strict.id}/records/bulk`, { items: [{ fields: text, metadata }] })
    expect((await send({ p: 'x' })).status).toBe(201)
    expect(await send({ p: 'x', q: null })).toMatchObject({ status: 422, body: { detail: expect.stringContaining('`q`') } })
  })
})

test('the other parts of a record are validated', async () => {
  const { questions, ann } = fixture
  const suggest = (...suggestions: object[]) => ({ suggestions })
  const refused: [object, RegExp][] = [
    [suggest({ question_id: UNKNOWN, value: 'a' }), new RegExp(UNKNOWN)],
    [suggest({ question_id: questions.label, value: 'a' }, { question_id: questions.label, value: 'b' }), /two/],
    [suggest({ question_id: questions.label, value: 'c' }), /label/],
    [suggest({ question_id: questions.label, value: 'a', score: [0.5] }), /score/],
    [suggest({ question_id: questions.tags, value: ['x'], score: 0.5 }), /score/],
    [suggest({ question_id: questions.tags, value: ['x'], score: [0.5, 0.5] }), /score/],
    [suggest({ question_id: questions.words, value: [{ label: 's', start: 0, end: 14 }] }), /13 characters/],
    [{ vectors: { unknown: [1] } }, /unknown/],
    [{ vectors: { v: [1, 2] } }, /3 elements, got 2/],
    [{ vectors: { v: [0, 0, 0] } }, /zeros/],
    [{ responses: [{ user_id: UNKNOWN, status: 'draft', values: {} }] }, new RegExp(UNKNOWN)],
    [{ responses: [{ user_id: ann.id, status: 'submitted', values: { say: { value: 'x' } } }] }, /label/],
    [
      { responses: [{ user_id: ann.id, status: 'draft', values: { words: { value: [{ label: 's', start: 0, end: 14 }] } } }] },
      /13/,
    ],
  ]
  for (const [part, sentence] of refused) {
    const answer = await fixture.post([{ fields: text }, { fields: text, ...part }])
    expect(answer, JSON.stringify(part)).toMatchObject({ status: 422, body: { detail: expect.stringMatching(sentence) } })
    expect((answer.body as unknown as Refusal).detail).toContain('position 1')
  }
  const malformed: [object, string][] = [
    [suggest({ question_id: questions.label, value: 'a', agent: '- :' }), 'string_pattern_mismatch'],
    [suggest({ question_id: questions.label, value: 'a', score: 1.01 }), 'less_than_equal'],
    [suggest({ question_id: questions.tags, value: ['x'], score: [] }), 'too_short'],
    [{ vectors: { v: null } }, 'list_type'],
    [{ responses: [{ user_id: ann.id, status: 'draft' }] }, 'missing'],
    [{ responses: [1, 2].map(() => ({ user_id: ann.id, status: 'discarded' })) }, 'value_error'],
  ]
  for (const [part, type] of malformed) {
    const answer = await fixture.post([{ fields: text, ...part }])
    expect(answer, JSON.stringify(part)).toMatchObject({ status: 422, body: { detail: { params: { errors: [{ type }] } } } })
  }
})

test('a request takes 1 to 500 items', async () => {
  for (const count of [0, 501]) {
    expect((await fixture.post(Array.from({ length: count }, () => ({ fields: text })))).status).toBe(422)
  }
})

test('a large body is processed outside the event loop, with the same result', async () => {
  const items = Array.from({ length: 500 }, (_, i) => ({
    fields: { text: `record ${i} ${'lorem ipsum dolor '.repeat(60)}`, talk: [{ role: 'a role', content: 'x' }] },
    external_id: `large ${i}`,
    metadata: { size: i % 100, free: `group ${i % 7}` },
    suggestions: [{ question_id: fixture.questions.stars, value: (i % 3) + 1, score: 0.5 }],
    vectors: { v: [i, 1, -1], w: [1 / (i + 1), 2] },
  }))
  const { items: made } = must(await fixture.post(items))
  expect(made.map(({ external_id, metadata, vectors }) => ({ external_id, metadata, vectors }))).toEqual(
    items.map(({ external_id, metadata, vectors }) => ({ external_id, metadata, vectors })),
  )
  expect(await fixture.differences()).toEqual([])
  const wrong = items.map((item, i) => ({ ...item, external_id: null, ...(i === 499 && { fields: { text: 1 } }) }))
  expect(await fixture.post(wrong)).toMatchObject({
    status: 422,
    body: { detail: { params: { errors: [{ type: 'string_type', loc: ['body', 'items', 499, 'fields', 'text'] }] } } },
  })
})
