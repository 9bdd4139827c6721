import type { Dataset } from '@postil/contract/datasets.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const unknownId = '00000000-0000-7000-8000-000000000001'
let server: TestServer
let owner: Client
let workspace: { id: string; name: string }

beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
  workspace = await server.createWorkspace()
})
afterAll(() => server.close())

const draft = (spec: object = {}) => server.createDataset({ workspace_id: workspace.id, publish: false, ...spec })
const errors = (body: unknown) =>
  (body as { detail: { params: { errors: { type: string; loc: unknown[] }[] } } }).detail.params.errors.map(({ type, loc }) => [
    type,
    ...loc,
  ])

describe('POST /datasets', () => {
  test('fills in defaults and returns the stored dataset', async () => {
    const made = await owner.post<Dataset>('/datasets', {
      name: 'defaults',
      workspace_id: workspace.id,
      status: 'ready',
      id: unknownId,
    })
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'defaults',
        guidelines: null,
        allow_extra_metadata: true,
        status: 'draft',
        distribution: { strategy: 'overlap', min_submitted: 1 },
        metadata: null,
        workspace_id: workspace.id,
      },
    })
    expect(made.body.id).not.toBe(unknownId)
    expect([made.body.updated_at, made.body.last_activity_at]).toEqual([made.body.inserted_at, made.body.inserted_at])
    expect((await owner.get(`/datasets/${made.body.id}`)).body).toEqual(made.body)
  })

  test('keeps everything that was sent', async () => {
    const sent = {
      name: 'ünï / code "quoted" \'; DROP TABLE datasets --',
      guidelines: 'g'.repeat(10_000),
      allow_extra_metadata: false,
      distribution: { strategy: 'overlap', min_submitted: 3 },
      metadata: { repoId: 'a/b', nested: [{ x: null }] },
    }
    expect(await owner.post('/datasets', { ...sent, workspace_id: workspace.id })).toMatchObject({ status: 201, body: sent })
  })

  test.each<[object, unknown[]]>([
    [{ name: '' }, ['string_too_short', 'body', 'name']],
    [{ name: 'n'.repeat(201) }, ['string_too_long', 'body', 'name']],
    [{ guidelines: '' }, ['string_too_short', 'body', 'guidelines']],
    [{ guidelines: 'g'.repeat(10_001) }, ['string_too_long', 'body', 'guidelines']],
    [{ allow_extra_metadata: null }, ['bool_type', 'body', 'allow_extra_metadata']],
    [{ distribution: null }, ['model_attributes_type', 'body', 'distribution']],
    [
      { distribution: { strategy: 'overlap', min_submitted: 0 } },
      ['greater_than_equal', 'body', 'distribution', 'min_submitted'],
    ],
    [{ metadata: [] }, ['dict_type', 'body', 'metadata']],
    [{ workspace_id: 'x' }, ['uuid_parsing', 'body', 'workspace_id']],
  ])('refuses %j', async (wrong, problem) => {
    const { status, body } = await owner.post('/datasets', { name: 'wrong', workspace_id: workspace.id, ...wrong })
    expect([status, errors(body)]).toEqual([422, [problem]])
  })

  test('rejects a taken name within a workspace only, even among twenty concurrent requests', async () => {
    const other = await server.createWorkspace()
    const twenty = await Promise.all(
      Array.from({ length: 20 }, () => owner.post('/datasets', { name: 'twin', workspace_id: workspace.id })),
    )
    expect(twenty.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
    expect(twenty.find(({ status }) => status === 409)?.body).toEqual({ detail: expect.stringContaining('`twin`') })
    expect(await owner.post('/datasets', { name: 'twin', workspace_id: other.id })).toMatchObject({ status: 201 })
  })

  test('reveals only to owners that a workspace doesn’t exist', async () => {
    const admin = await server.createUser({ role: 'admin' })
    expect(await owner.post('/datasets', { name: 'x', workspace_id: unknownId })).toMatchObject({
      status: 422,
      body: { detail: expect.any(String) },
    })
    expect(await server.clientFor(admin).post('/datasets', { name: 'x', workspace_id: unknownId })).toMatchObject({ status: 403 })
  })
})

describe('GET /me/datasets', () => {
  test('lists the datasets that the caller can see oldest first, with all filters applied', async () => {
    const ownWorkspace = await server.createWorkspace()
    const other = await server.createWorkspace()
    const annotator = await server.createUser({ workspaces: [ownWorkspace.id] })
    const first = await draft({ workspace_id: ownWorkspace.id, name: 'first' })
    const foreign = await draft({ workspace_id: other.id, name: 'first' })
    const second = await server.createDataset({ workspace_id: ownWorkspace.id, name: 'second' })
    const ids = async (query: string, client = server.clientFor(annotator)) =>
      (await client.get<{ items: Dataset[] }>(`/me/datasets${query}`)).body.items.map(({ id }) => id)
    expect(await ids('')).toEqual([first.id, second.id])
    expect(await ids('?name=first')).toEqual([first.id])
    expect(await ids('?status=ready')).toEqual([second.id])
    expect(await ids(`?workspace_id=${ownWorkspace.id}&status=draft&name=second`)).toEqual([])
    expect(await ids('?name=first', owner)).toEqual([first.id, foreign.id])
    expect(await ids(`?workspace_id=${unknownId}`, owner)).toEqual([])
    expect(await ids('?name=%00')).toEqual([])
    for (const id of [other.id, unknownId]) {
      expect(await server.clientFor(annotator).get(`/me/datasets?workspace_id=${id}`)).toMatchObject({ status: 403 })
    }
    const wrong = await owner.get('/me/datasets?workspace_id=x&status=done')
    expect([wrong.status, errors(wrong.body)]).toEqual([
      422,
      [
        ['uuid_parsing', 'query', 'workspace_id'],
        ['enum', 'query', 'status'],
      ],
    ])
  })
})

describe('PATCH /datasets/{id}', () => {
  test('changes the sent values, and the timestamps only for an actual change', async () => {
    const dataset = await draft({ guidelines: 'old', metadata: { a: 1 } })
    const url = `/datasets/${dataset.id}`
    expect((await owner.patch(url, { id: unknownId, workspace_id: unknownId, status: 'ready' })).body).toEqual(dataset)
    expect((await owner.patch(url, { name: dataset.name, metadata: { a: 1 }, distribution: dataset.distribution })).body).toEqual(
      dataset,
    )
    const { body } = await owner.patch<Dataset>(url, {
      guidelines: null,
      metadata: { b: 2 },
      allow_extra_metadata: 'no',
      name: 'new name',
    })
    expect(body).toMatchObject({
      guidelines: null,
      metadata: { b: 2 },
      allow_extra_metadata: false,
      name: 'new name',
      status: 'draft',
    })
    expect(body.updated_at > dataset.updated_at).toBe(true)
    expect(body.last_activity_at).toBe(body.updated_at)
    expect((await owner.get(url)).body).toEqual(body)
    expect((await owner.patch<Dataset>(url, { metadata: null })).body.metadata).toBeNull()
  })

  test('changes the distribution of a dataset without answers, ready or not', async () => {
    const dataset = await server.createDataset({ workspace_id: workspace.id })
    const distribution = { strategy: 'overlap', min_submitted: 5 }
    expect(await owner.patch(`/datasets/${dataset.id}`, { distribution })).toMatchObject({
      status: 200,
      body: { distribution, status: 'ready' },
    })
  })

  test('rejects null for required values, an incomplete distribution, and a taken name', async () => {
    const dataset = await draft({ name: 'patched' })
    await draft({ name: 'taken' })
    const url = `/datasets/${dataset.id}`
    const nulls = await owner.patch(url, { name: null, distribution: null, allow_extra_metadata: null })
    expect([nulls.status, errors(nulls.body)]).toEqual([422, [['value_error', 'body']]])
    const half = await owner.patch(url, { distribution: { min_submitted: 2 } })
    expect([half.status, errors(half.body)]).toEqual([422, [['missing', 'body', 'distribution', 'strategy']]])
    expect(await owner.patch(url, { name: 'taken' })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('taken') },
    })
  })
})

describe('PUT /datasets/{id}/publish', () => {
  test('rejects a question whose field was deleted', async () => {
    const span = { type: 'span' as const, field: 'marked', options: [{ value: 'a', text: 'a' }] }
    const fields = ['marked', 'other'].map((name) => ({ name, settings: { type: 'text' as const } }))
    const made = await draft({ fields, questions: [{ name: 'names', required: true, settings: span }] })
    const { items } = (await owner.get<{ items: { id: string }[] }>(`/datasets/${made.id}/fields`)).body
    expect(await owner.delete(`/fields/${items[0]?.id}`)).toMatchObject({ status: 200 })
    expect(await owner.put(`/datasets/${made.id}/publish`)).toMatchObject({
      status: 422,
      body: { detail: expect.stringMatching(/question names cannot be answered: `marked` is not a valid field.* `other`/) },
    })
    const field = { name: 'marked', title: 'Marked', settings: { type: 'text', use_markdown: false } }
    expect(await owner.post(`/datasets/${made.id}/fields`, field)).toMatchObject({ status: 201 })
    expect(await owner.put(`/datasets/${made.id}/publish`)).toMatchObject({ status: 200 })
  })

  test('requires a field, then a required question, and works once', async () => {
    const dataset = await draft({ fields: [], questions: [] })
    const publish = () => owner.put<{ detail: string }>(`/datasets/${dataset.id}/publish`)
    expect(await publish()).toMatchObject({ status: 422, body: { detail: expect.stringContaining('without fields') } })
    await owner.post(`/datasets/${dataset.id}/fields`, { name: 'f', title: 'F', settings: { type: 'text' } })
    const question = { title: 'Q', settings: { type: 'text' } }
    await owner.post(`/datasets/${dataset.id}/questions`, { ...question, name: 'optional' })
    expect(await publish()).toMatchObject({ status: 422, body: { detail: expect.stringContaining('required questions') } })
    await owner.post(`/datasets/${dataset.id}/questions`, { ...question, name: 'needed', required: true })
    const published = await publish()
    expect(published).toMatchObject({ status: 200, body: { id: dataset.id, status: 'ready' } })
    expect(await publish()).toMatchObject({ status: 422, body: { detail: expect.stringContaining('already published') } })
  })
})

describe('DELETE /datasets/{id}', () => {
  test('returns the dataset as it was, removes it at once and frees its name', async () => {
    const dataset = await server.createDataset({ workspace_id: workspace.id, name: 'short-lived' })
    const fields = await owner.get<{ items: { id: string }[] }>(`/datasets/${dataset.id}/fields`)
    expect(await owner.delete(`/datasets/${dataset.id}`)).toMatchObject({ status: 200, body: dataset })
    for (const path of ['', '/fields', '/questions', '/vectors-settings']) {
      expect(await owner.get(`/datasets/${dataset.id}${path}`)).toMatchObject({
        status: 404,
        body: { detail: expect.stringContaining(dataset.id) },
      })
    }
    expect(await owner.delete(`/datasets/${dataset.id}`)).toMatchObject({ status: 404 })
    expect(await owner.patch(`/fields/${fields.body.items[0]!.id}`, { title: 'x' })).toMatchObject({ status: 404 })
    const list = await owner.get<{ items: Dataset[] }>('/me/datasets?name=short-lived')
    expect(list.body.items).toEqual([])
    expect(await draft({ name: 'short-lived' })).toMatchObject({ name: 'short-lived' })
  })
})

describe('permissions', () => {
  type Who = 'owner' | 'adminIn' | 'adminOut' | 'annotatorIn' | 'annotatorOut'
  const people: readonly Who[] = ['owner', 'adminIn', 'adminOut', 'annotatorIn', 'annotatorOut']
  const see: readonly Who[] = ['owner', 'adminIn', 'annotatorIn']
  const change: readonly Who[] = ['owner', 'adminIn']
  const actions: readonly [string, readonly Who[], (client: Client, id: string) => Promise<{ status: number }>][] = [
    ['get', see, (client, id) => client.get(`/datasets/${id}`)],
    ['list fields of', see, (client, id) => client.get(`/datasets/${id}/fields`)],
    ['list questions of', see, (client, id) => client.get(`/datasets/${id}/questions`)],
    ['list vector settings of', see, (client, id) => client.get(`/datasets/${id}/vectors-settings`)],
    ['list metadata properties of', see, (client, id) => client.get(`/me/datasets/${id}/metadata-properties`)],
    ['create', change, (client) => client.post('/datasets', { name: `d-${Math.random()}`, workspace_id: workspace.id })],
    ['update', change, (client, id) => client.patch(`/datasets/${id}`, {})],
    ['publish', change, (client, id) => client.put(`/datasets/${id}/publish`)],
    [
      'add a field to',
      change,
      (client, id) => client.post(`/datasets/${id}/fields`, { name: 'n', title: 'T', settings: { type: 'image' } }),
    ],
    [
      'add a question to',
      change,
      (client, id) => client.post(`/datasets/${id}/questions`, { name: 'n', title: 'T', settings: { type: 'text' } }),
    ],
    [
      'add a property to',
      change,
      (client, id) => client.post(`/datasets/${id}/metadata-properties`, { name: 'n', title: 'T', settings: { type: 'float' } }),
    ],
    [
      'add vector settings to',
      change,
      (client, id) => client.post(`/datasets/${id}/vectors-settings`, { name: 'n', title: 'T', dimensions: 2 }),
    ],
    ['delete', change, (client, id) => client.delete(`/datasets/${id}`)],
  ]
  let clients: { readonly [W in Who]: Client }
  beforeAll(async () => {
    const inside = { workspaces: [workspace.id] }
    const client = async (role: 'admin' | 'annotator', spec: object) =>
      server.clientFor(await server.createUser({ role, ...spec }))
    clients = {
      owner,
      adminIn: await client('admin', inside),
      adminOut: await client('admin', {}),
      annotatorIn: await client('annotator', inside),
      annotatorOut: await client('annotator', {}),
    }
  })

  test.each(actions)('%s a dataset', async (_name, allowed, act) => {
    const statuses = await Promise.all(
      people.map(async (who) => {
        const dataset = await draft()
        return [who, (await act(clients[who], dataset.id)).status] as const
      }),
    )
    expect(statuses.filter(([, status]) => status !== 403).map(([who]) => who)).toEqual(allowed)
    expect(statuses.filter(([, status]) => status >= 400 && status !== 403)).toEqual([])
    expect(await act(server.clientFor(null), unknownId)).toMatchObject({ status: 401 })
  })

  test.each(actions.filter(([name]) => name !== 'create'))(
    '%s an unknown dataset returns 404 for everyone',
    async (_name, _allowed, act) => {
      for (const who of people) expect((await act(clients[who], unknownId)).status).toBe(404)
    },
  )
})
