import type { Dataset } from '@postil/contract/datasets.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemsOf } from './testing/problems.ts'

let server: TestServer
let owner: Client
let dataset: Dataset
let url: string

beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
  dataset = await server.createDataset({ publish: false, fields: [] })
  url = `/datasets/${dataset.id}/fields`
})
afterAll(() => server.close())

test.each<[object, object]>([
  [{ type: 'text' }, { type: 'text', use_markdown: false }],
  [
    { type: 'text', use_markdown: 'yes', extra: 1 },
    { type: 'text', use_markdown: true },
  ],
  [{ type: 'image' }, { type: 'image' }],
  [{ type: 'chat' }, { type: 'chat', use_markdown: true }],
  [
    { type: 'custom', template: '' },
    { type: 'custom', template: '', advanced_mode: false },
  ],
])('%j is created with its defaults', async (settings, stored) => {
  const name = JSON.stringify(settings)
  const { status, body } = await owner.post<Field>(url, { name, title: 'T', required: null, settings, description: 'ignored' })
  expect([status, body]).toMatchObject([201, { name, title: 'T', required: false, settings: stored, dataset_id: dataset.id }])
  expect(body.updated_at).toBe(body.inserted_at)
  const { items } = (await owner.get<{ items: Field[] }>(url)).body
  expect(items.at(-1)).toEqual(body)
})

test.each<[object, unknown[]]>([
  [{ name: '' }, ['string_too_short', 'name']],
  [{ name: 'n'.repeat(201) }, ['string_too_long', 'name']],
  [{ title: undefined }, ['missing', 'title']],
  [{ title: 't'.repeat(501) }, ['string_too_long', 'title']],
  [{ required: 'maybe' }, ['bool_parsing', 'required']],
  [{ settings: undefined }, ['missing', 'settings']],
  [{ settings: { type: 'video' } }, ['union_tag_invalid', 'settings']],
  [{ settings: {} }, ['union_tag_not_found', 'settings']],
  [{ settings: { type: 'custom' } }, ['missing', 'settings', 'custom', 'template']],
  [{ settings: { type: 'text', use_markdown: null } }, ['bool_type', 'settings', 'text', 'use_markdown']],
])('%j is rejected', async (wrong, problem) => {
  const sent = { name: 'wrong', title: 'T', settings: { type: 'text' }, ...wrong }
  expect(problemsOf(await owner.post(url, sent))).toEqual([problem])
})

test('an update changes title and settings, but never name, required or type', async () => {
  const made = await owner.post<Field>(url, { name: 'changing', title: 'T', required: true, settings: { type: 'chat' } })
  const path = `/fields/${made.body.id}`
  expect((await owner.patch(path, { name: 'x', required: false, settings: made.body.settings, title: 'T' })).body).toEqual(
    made.body,
  )
  const changed = await owner.patch<Field>(path, { title: 'New', settings: { type: 'chat', use_markdown: false } })
  expect(changed).toMatchObject({
    status: 200,
    body: { name: 'changing', required: true, title: 'New', settings: { type: 'chat', use_markdown: false } },
  })
  expect(changed.body.updated_at > made.body.updated_at).toBe(true)
  expect((await owner.get<{ items: Field[] }>(url)).body.items.at(-1)).toEqual(changed.body)
  expect(await owner.patch(path, { settings: { type: 'text', use_markdown: false } })).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining("'chat'") },
  })
  expect(problemsOf(await owner.patch(path, { title: null, settings: null }))).toEqual([['value_error']])
  expect(problemsOf(await owner.patch(path, { settings: { type: 'chat' } }))).toEqual([
    ['missing', 'settings', 'chat', 'use_markdown'],
  ])
})

test('names are unique, and a ready dataset refuses to add or delete fields before other checks', async () => {
  const ready = await server.createDataset()
  const draft = await server.createDataset({ publish: false })
  const field = { name: 'text', title: 'T', settings: { type: 'text' } }
  expect(await owner.post(`/datasets/${draft.id}/fields`, field)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('`text`') },
  })
  expect(await owner.post(`/datasets/${ready.id}/fields`, field)).toMatchObject({
    status: 422,
    body: { detail: expect.any(String) },
  })
  const [remaining] = (await owner.get<{ items: Field[] }>(`/datasets/${ready.id}/fields`)).body.items
  expect(await owner.delete(`/fields/${remaining!.id}`)).toMatchObject({ status: 422, body: { detail: expect.any(String) } })
  expect(await owner.patch(`/fields/${remaining!.id}`, { title: 'New' })).toMatchObject({ status: 200, body: { title: 'New' } })
  const [gone] = (await owner.get<{ items: Field[] }>(`/datasets/${draft.id}/fields`)).body.items
  expect(await owner.delete(`/fields/${gone!.id}`)).toMatchObject({ status: 200, body: gone! })
  expect(await owner.delete(`/fields/${gone!.id}`)).toMatchObject({ status: 404 })
  expect((await owner.get(`/datasets/${draft.id}/fields`)).body).toEqual({ items: [] })
})

test('a custom field becomes a trace and back, unless a question asks about its steps', async () => {
  const steps = [
    { id: 'a', kind: 'tool', name: 'look up', input: 'first' },
    { id: 'b', kind: 'llm', name: 'chat' },
  ]
  const settings = { type: 'custom', template: '<p>{{record.fields.run.steps}}</p>', advanced_mode: false }
  const options = ['x', 'y'].map((value) => ({ value, text: value }))
  const { id } = await server.createDataset({
    fields: [
      { name: 'run', required: true, settings },
      { name: 'text', settings: { type: 'text' } },
    ],
    questions: [{ name: 'label', required: true, settings: { type: 'label_selection', options } }],
  })
  const add = (run: object) => owner.post(`/datasets/${id}/records/bulk`, { items: [{ fields: { run } }] })
  expect((await add({ steps })).status).toBe(201)
  expect((await add({ other: 'value' })).status).toBe(201)
  const [run, text] = (await owner.get<{ items: Field[] }>(`/datasets/${id}/fields`)).body.items
  const update = (field: Field | undefined, body: object) => owner.patch<Field>(`/fields/${field?.id}`, body)
  const trace = await update(run, { view: 'trace' })
  expect([trace.status, trace.body.settings]).toEqual([200, { ...settings, postil_kind: 'trace', view: 'trace' }])
  // Existing records keep their values, even values that aren't traces. New values must be traces.
  expect((await owner.get<{ items: unknown[] }>(`/datasets/${id}/records`)).body.items).toHaveLength(2)
  expect((await add({ other: 'value' })).status).toBe(422)
  // The SDK sends only the settings that Argilla also has. `view` isn't one of them, but must be kept.
  expect((await update(run, { settings: { ...settings, template: 'new' } })).body.settings).toMatchObject({
    view: 'trace',
    template: 'new',
  })
  const search = async (words: string) => {
    const query = { query: { text: { q: words, field: 'run' } } }
    return (await owner.post<{ total: number }>(`/me/datasets/${id}/records/search`, query)).body.total
  }
  expect([await search('first'), await search('steps')]).toEqual([1, 0])
  const calls = {
    name: 'calls',
    title: 'Calls',
    required: false,
    to_published: true,
    settings: { type: 'span', postil_kind: 'turns', field: 'run', options: [{ value: 'ok', text: 'Ok' }], unit: { of: 'turn' } },
  }
  const question = await owner.post<{ id: string }>(`/datasets/${id}/questions`, calls)
  expect(question.status).toBe(201)
  const refused = await update(run, { view: null })
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('`run` is not a valid field')])
  expect((await update(text, { view: 'trace' })).status).toBe(422)
  expect((await update(run, { view: 'table' })).status).toBe(422)
})

test('a trace becomes a custom field with its template', async () => {
  const { id } = await server.createDataset({
    fields: [{ name: 'run', required: true, settings: { type: 'custom', view: 'trace' } }],
  })
  const [run] = (await owner.get<{ items: Field[] }>(`/datasets/${id}/fields`)).body.items
  const { status, body } = await owner.patch<Field>(`/fields/${run?.id}`, { view: null, title: 'Run' })
  expect([status, body]).toMatchObject([200, { title: 'Run' }])
  expect(body.settings).toEqual({ type: 'custom', template: '<pre>{{json record.fields}}</pre>', advanced_mode: false })
})
