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
