import type { Dataset } from '@postil/contract/datasets.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemsOf } from './testing/problems.ts'

const fields = [
  { name: 'text', settings: { type: 'text' } },
  { name: 'second', settings: { type: 'text' } },
  { name: 'talk', settings: { type: 'chat' } },
  { name: 'picture', settings: { type: 'image' } },
]
const option = (value: string) => ({ value, text: value.toUpperCase() })
const shown = (value: string) => ({ ...option(value), description: null })
const abc = ['a', 'b', 'c']

let server: TestServer
let owner: Client
let dataset: Dataset
let url: string

beforeAll(async () => {
  server = await bootServer({ env: { POSTIL_LABEL_SELECTION_OPTIONS_MAX_ITEMS: '5', POSTIL_SPAN_OPTIONS_MAX_ITEMS: '4' } })
  owner = server.clientFor(server.owner)
  dataset = await server.createDataset({ publish: false, fields, questions: [] })
  url = `/datasets/${dataset.id}/questions`
})
afterAll(() => server.close())

let count = 0
const create = (settings: object, more: object = {}) =>
  owner.post<Question>(url, { name: `q${++count}`, title: 'Q', settings, ...more })

describe('creation', () => {
  test.each<[object, object]>([
    [{ type: 'text' }, { type: 'text', use_markdown: false }],
    [
      { type: 'rating', options: [{ value: 0 }, { value: '10' }] },
      { type: 'rating', options: [{ value: 0 }, { value: 10 }] },
    ],
    [
      { type: 'label_selection', options: abc.map(option) },
      { type: 'label_selection', options: abc.map(shown), visible_options: null },
    ],
    [
      { type: 'multi_label_selection', options: abc.map(option), visible_options: 3, options_order: 'suggestion' },
      { type: 'multi_label_selection', options: abc.map(shown), visible_options: 3, options_order: 'suggestion' },
    ],
    [
      { type: 'ranking', options: abc.map(option) },
      { type: 'ranking', options: abc.map(shown) },
    ],
    [
      { type: 'span', field: 'text', options: [option('a')], allow_character_annotation: false },
      {
        type: 'span',
        field: 'text',
        options: [shown('a')],
        visible_options: null,
        allow_overlapping: false,
        allow_character_annotation: true,
      },
    ],
  ])('%j', async (settings, stored) => {
    const made = await create(settings, { required: true })
    expect(made).toMatchObject({
      status: 201,
      body: { title: 'Q', description: null, required: true, settings: stored, dataset_id: dataset.id },
    })
    expect((await owner.get<{ items: Question[] }>(url)).body.items.at(-1)).toEqual(made.body)
  })

  test.each<[object, unknown[]]>([
    [{ type: 'label_selection', options: [...'abcdef'].map(option) }, ['too_long', 'settings', 'label_selection', 'options']],
    [{ type: 'multi_label_selection', options: [option('a')] }, ['too_short', 'settings', 'multi_label_selection', 'options']],
    [{ type: 'span', field: 'text', options: [...'abcde'].map(option) }, ['too_long', 'settings', 'span', 'options']],
    [{ type: 'rating', options: [{ value: 1 }, { value: 1 }] }, ['value_error', 'settings', 'rating']],
    [{ type: 'ranking', options: null }, ['list_type', 'settings', 'ranking', 'options']],
  ])('%j is rejected', async (settings, problem) => {
    expect(problemsOf(await create(settings))).toEqual([problem])
  })

  test('limits name, title and description', async () => {
    const wrong = { name: 'n'.repeat(201), title: '', description: 'd'.repeat(1001) }
    expect(problemsOf(await create({ type: 'text' }, wrong))).toEqual([
      ['string_too_long', 'name'],
      ['string_too_short', 'title'],
      ['string_too_long', 'description'],
    ])
  })

  test('requires a text or chat field of its own for a span question', async () => {
    const span = (field: string) => create({ type: 'span', field, options: [option('a')] })
    const detail = (word: string) => ({ status: 422, body: { detail: expect.stringContaining(word) } })
    expect(await span('nowhere')).toMatchObject(detail('`text`, `second`, `talk`'))
    expect(await span('picture')).toMatchObject(detail('`text`, `second`, `talk`'))
    expect(await span('talk')).toMatchObject({ status: 201 })
    expect(await span('second')).toMatchObject({ status: 201 })
    expect(await span('second')).toMatchObject(detail('already used'))
  })

  test('reports a taken name before a ready dataset', async () => {
    const ready = await server.createDataset()
    const path = `/datasets/${ready.id}/questions`
    const question = { title: 'Q', settings: { type: 'text' } }
    expect(await owner.post(path, { ...question, name: 'label' })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('`label`') },
    })
    expect(await owner.post(path, { ...question, name: 'new' })).toMatchObject({
      status: 422,
      body: { detail: expect.any(String) },
    })
  })
})

describe('update', () => {
  const label = async (more: object = {}) =>
    (await create({ type: 'label_selection', options: [...'abcd'].map(option), visible_options: 3, ...more })).body
  const settings = (sent: object) => ({ settings: { type: 'label_selection', ...sent } })

  test('changes title, description and editable settings, including in a ready dataset', async () => {
    const made = await label()
    const path = `/questions/${made.id}`
    const same = { name: 'x', required: true, title: 'Q', description: null, settings: made.settings }
    expect((await owner.patch(path, same)).body).toEqual(made)
    const options = [...'dcba'].map((value) => ({ value, text: '' }))
    const changed = await owner.patch<Question>(path, { title: 'New', description: 'D', ...settings({ options }) })
    expect(changed).toMatchObject({
      status: 200,
      body: {
        name: made.name,
        required: false,
        title: 'New',
        description: 'D',
        settings: { options: options.map((one) => ({ ...one, description: null })), visible_options: 3 },
      },
    })
    expect(changed.body.updated_at > made.updated_at).toBe(true)
    expect((await owner.patch(path, { description: null, ...settings({ visible_options: null }) })).body).toMatchObject({
      description: null,
      settings: { visible_options: null },
    })
    const ready = await server.createDataset()
    const [question] = (await owner.get<{ items: Question[] }>(`/datasets/${ready.id}/questions`)).body.items
    expect(await owner.patch(`/questions/${question!.id}`, { title: 'New' })).toMatchObject({
      status: 200,
      body: { title: 'New' },
    })
  })

  test('rejects other options, other types and invalid numbers of visible options with a message', async () => {
    const path = `/questions/${(await label()).id}`
    for (const sent of [
      settings({ options: [...'abc'].map(option) }),
      settings({ options: [...'abce'].map(option) }),
      settings({ options: [...'abcdd'].map(option) }),
      settings({ visible_options: 2 }),
      settings({ visible_options: 5 }),
      { settings: { type: 'text' } },
    ]) {
      expect(await owner.patch(path, sent)).toMatchObject({ status: 422, body: { detail: expect.any(String) } })
    }
  })

  test('rejects null for required values', async () => {
    const path = `/questions/${(await label()).id}`
    expect(problemsOf(await owner.patch(path, { title: null, settings: null }))).toEqual([['value_error']])
    expect(problemsOf(await owner.patch(path, settings({ options: null })))).toEqual([
      ['value_error', 'settings', 'label_selection'],
    ])
    expect(problemsOf(await owner.patch(path, { settings: { options: [] } }))).toEqual([['union_tag_not_found', 'settings']])
  })

  test('can’t disable overlapping spans', async () => {
    const third = await server.createDataset({ publish: false, fields, questions: [] })
    const span = { type: 'span', field: 'text', options: [option('a')] }
    const made = await owner.post<Question>(`/datasets/${third.id}/questions`, { name: 's', title: 'S', settings: span })
    const path = `/questions/${made.body.id}`
    const allow = (sent: object) => owner.patch<Question>(path, { settings: { type: 'span', ...sent } })
    expect(await allow({ allow_overlapping: true, field: 'second' })).toMatchObject({
      status: 200,
      body: { settings: { allow_overlapping: true, field: 'text' } },
    })
    expect(await allow({})).toMatchObject({ status: 422, body: { detail: expect.any(String) } })
    expect(await allow({ allow_overlapping: false })).toMatchObject({ status: 422 })
    expect(await allow({ allow_overlapping: true })).toMatchObject({ status: 200 })
  })
})

test('only drafts allow deletion', async () => {
  const made = (await create({ type: 'text' })).body
  expect(await owner.delete(`/questions/${made.id}`)).toMatchObject({ status: 200, body: made })
  expect(await owner.delete(`/questions/${made.id}`)).toMatchObject({ status: 404 })
  const ready = await server.createDataset()
  const [question] = (await owner.get<{ items: Question[] }>(`/datasets/${ready.id}/questions`)).body.items
  expect(await owner.delete(`/questions/${question!.id}`)).toMatchObject({ status: 422, body: { detail: expect.any(String) } })
})
