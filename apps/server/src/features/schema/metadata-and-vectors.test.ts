import type { Dataset } from '@postil/contract/datasets.ts'
import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { VectorSettings } from '@postil/contract/vectors-settings.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemsOf } from './testing/problems.ts'

let server: TestServer
let owner: Client
let dataset: Dataset

beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
  dataset = await server.createDataset()
})
afterAll(() => server.close())

describe('metadata properties', () => {
  const create = (body: object) =>
    owner.post<MetadataProperty>(`/datasets/${dataset.id}/metadata-properties`, { title: 'M', ...body })
  const list = async (client = owner) =>
    (await client.get<{ items: MetadataProperty[] }>(`/me/datasets/${dataset.id}/metadata-properties`)).body.items

  test.each<[object, object]>([
    [{ type: 'terms' }, { type: 'terms', values: null }],
    [
      { type: 'terms', values: ['a', 'a', 1, null, { x: [] }] },
      { type: 'terms', values: ['a', 'a', 1, null, { x: [] }] },
    ],
    [
      { type: 'integer', min: '1', max: 2.0 },
      { type: 'integer', min: 1, max: 2 },
    ],
    [
      { type: 'float', max: 0.5 },
      { type: 'float', min: null, max: 0.5 },
    ],
  ])('%j is created, in a ready dataset too', async (settings, stored) => {
    const made = await create({ name: JSON.stringify(settings), settings })
    expect(made).toMatchObject({
      status: 201,
      body: { title: 'M', settings: stored, visible_for_annotators: true, dataset_id: dataset.id },
    })
    expect((await list()).at(-1)).toEqual(made.body)
  })

  test.each<[object, unknown[]]>([
    [{ settings: { type: 'uint8' } }, ['union_tag_invalid', 'settings']],
    [{ settings: { type: 'terms', values: [] } }, ['too_short', 'settings', 'terms', 'values']],
    [{ settings: { type: 'terms', values: Array(251).fill('a') } }, ['too_long', 'settings', 'terms', 'values']],
    [{ settings: { type: 'integer', min: 2, max: 2 } }, ['value_error', 'settings', 'integer']],
    [{ settings: { type: 'integer', min: 1.5 } }, ['int_from_float', 'settings', 'integer', 'min']],
    [{ visible_for_annotators: null }, ['bool_type', 'visible_for_annotators']],
    [{ title: null }, ['string_type', 'title']],
  ])('%j is rejected', async (wrong, problem) => {
    expect(problemsOf(await create({ name: 'wrong', settings: { type: 'terms' }, ...wrong }))).toEqual([problem])
  })

  test('can be updated, hidden from annotators and deleted', async () => {
    const annotator = server.clientFor(await server.createUser({ workspaces: [dataset.workspace_id] }))
    const admin = server.clientFor(await server.createUser({ role: 'admin', workspaces: [dataset.workspace_id] }))
    const made = (await create({ name: 'hidden', settings: { type: 'terms' } })).body
    const path = `/metadata-properties/${made.id}`
    expect((await list(annotator)).map(({ id }) => id)).toContain(made.id)
    expect(await create({ name: 'hidden', settings: { type: 'float' } })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('`hidden`') },
    })
    expect((await owner.patch(path, { title: 'M', name: 'x', settings: { type: 'float' } })).body).toEqual(made)
    const changed = (await admin.patch<MetadataProperty>(path, { title: 'New', visible_for_annotators: false })).body
    expect(changed).toMatchObject({ title: 'New', visible_for_annotators: false, settings: { type: 'terms' } })
    expect((await owner.patch<MetadataProperty>(path, { title: 'Newer' })).body.visible_for_annotators).toBe(false)
    expect((await list(annotator)).map(({ id }) => id)).not.toContain(made.id)
    expect((await list(admin)).map(({ id }) => id)).toContain(made.id)
    expect(problemsOf(await owner.patch(path, { title: null, visible_for_annotators: null }))).toEqual([['value_error']])
    expect(await annotator.patch(path, {})).toMatchObject({ status: 403 })
    expect(await owner.delete(path)).toMatchObject({ status: 200, body: { id: made.id, title: 'Newer' } })
    expect(await owner.delete(path)).toMatchObject({ status: 404 })
  })
})

describe('vector settings', () => {
  const create = (body: object) =>
    owner.post<VectorSettings>(`/datasets/${dataset.id}/vectors-settings`, { title: 'V', dimensions: 2, ...body })

  test.each<[object, unknown[]]>([
    [{ dimensions: 0 }, ['greater_than', 'dimensions']],
    [{ dimensions: 16_001 }, ['less_than_equal', 'dimensions']],
    [{ dimensions: 1.5 }, ['int_from_float', 'dimensions']],
    [{ title: undefined }, ['missing', 'title']],
  ])('%j is rejected', async (wrong, problem) => {
    expect(problemsOf(await create({ name: 'wrong', ...wrong }))).toEqual([problem])
  })

  test('are limited to five with unique names, and allow changing the title but not the dimensions', async () => {
    const made: VectorSettings[] = []
    for (const name of ['a', 'b', 'c', 'd']) made.push((await create({ name, dimensions: 16_000 })).body)
    expect(await create({ name: 'a' })).toMatchObject({ status: 409, body: { detail: expect.stringContaining('`a`') } })
    made.push((await create({ name: 'e' })).body)
    expect(await create({ name: 'a' })).toMatchObject({ status: 422, body: { detail: expect.stringContaining('5') } })
    const [first] = made
    const path = `/vectors-settings/${first!.id}`
    expect(problemsOf(await owner.patch(path, { dimensions: 3 }))).toEqual([['missing', 'title']])
    expect((await owner.patch(path, { title: 'V', dimensions: 3 })).body).toEqual(first)
    const changed = (await owner.patch<VectorSettings>(path, { title: 'New' })).body
    expect(changed).toMatchObject({ title: 'New', dimensions: 16_000, name: 'a' })
    const { items } = (await owner.get<{ items: VectorSettings[] }>(`/datasets/${dataset.id}/vectors-settings`)).body
    expect(items).toEqual([changed, ...made.slice(1)])
    expect(await owner.delete(path)).toMatchObject({ status: 200, body: changed })
    expect(await create({ name: 'f' })).toMatchObject({ status: 201 })
  })
})

test('limits and unique names hold under concurrent requests', async () => {
  const draft = await server.createDataset({ publish: false, vectors_settings: [{ name: 'there', dimensions: 2 }] })
  const post = (route: string, body: object) => owner.post(`/datasets/${draft.id}/${route}`, { title: 'T', ...body })
  const settings = { type: 'image' }
  const twins = await Promise.all(Array.from({ length: 8 }, () => post('fields', { name: 'twin', settings })))
  expect(twins.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
  const vectors = await Promise.all([...'abcdefgh'].map((name) => post('vectors-settings', { name, dimensions: 2 })))
  expect(vectors.map(({ status }) => status).sort()).toEqual([...Array(4).fill(201), ...Array(4).fill(422)])
})

describe('permissions to change part of a schema', () => {
  test.each([
    ['fields', { name: 'p', title: 'P', settings: { type: 'image' } }],
    ['questions', { name: 'p', title: 'P', settings: { type: 'text' } }],
    ['metadata-properties', { name: 'p', title: 'P', settings: { type: 'float' } }],
    ['vectors-settings', { name: 'p', title: 'P', dimensions: 2 }],
  ] as const)('%s', async (route, body) => {
    const draft = await server.createDataset({ publish: false })
    const made = (await owner.post<{ id: string }>(`/datasets/${draft.id}/${route}`, body)).body
    const inside = { workspaces: [draft.workspace_id] }
    const strangers = [{ role: 'admin' }, { role: 'annotator' }, { role: 'annotator', ...inside }] as const
    const nowhere = `/${route}/00000000-0000-7000-8000-000000000001`
    for (const spec of strangers) {
      const client = server.clientFor(await server.createUser(spec))
      expect(await client.patch(`/${route}/${made.id}`, { title: 'x' })).toMatchObject({ status: 403 })
      expect(await client.delete(`/${route}/${made.id}`)).toMatchObject({ status: 403 })
      expect(await client.patch(nowhere, { title: 'x' })).toMatchObject({ status: 404 })
      expect(await client.delete(nowhere)).toMatchObject({ status: 404 })
    }
    const admin = server.clientFor(await server.createUser({ role: 'admin', ...inside }))
    expect(await admin.patch(`/${route}/${made.id}`, { title: 'by admin' })).toMatchObject({
      status: 200,
      body: { title: 'by admin' },
    })
    expect(await admin.delete(`/${route}/${made.id}`)).toMatchObject({ status: 200, body: { title: 'by admin' } })
  })
})
