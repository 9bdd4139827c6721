import type { Dataset } from '@postil/contract/datasets.ts'
import type { Record } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { type ApiFixture, createApiFixture, must, partsOf, type Rich } from './testing/fixture.ts'
import { richValues } from './testing/rich.ts'

/** These tests check the order of lists and the times of changes, in the same way for every kind of entity. */
const word = 'order'
let server: TestServer
let fixture: ApiFixture
let draft: Rich
beforeAll(async () => {
  server = await bootServer()
  fixture = await createApiFixture(server, word)
  const spec = { workspace_id: fixture.workspace.id, fields: [], questions: [], publish: false }
  draft = await partsOf(fixture.owner, await server.createDataset(spec))
})
afterAll(() => server.close())

type Thing = { readonly id: string; readonly inserted_at: string; readonly updated_at: string; readonly [key: string]: unknown }
type Kind = {
  readonly name: string
  /** The path of the list, and the path of one item in it. */
  readonly list: () => string
  readonly one: (id: string) => string
  readonly make: (name: string) => Promise<Thing>
  /** `change` is an update that has an effect. `fixed` contains keys that an update can't change. */
  readonly change?: object
  readonly fixed?: object
}

const post = async (path: string, body: object) => must(await fixture.owner.post<Thing>(path, body))
const inDraft = (path: string) => `/datasets/${draft.dataset.id}/${path}`
const part = (name: string, more: object) => (called: string) => post(inDraft(name), { name: called, title: 'T', ...more })
const elsewhere = { id: crypto.randomUUID(), inserted_at: '2000-01-01T00:00:00', updated_at: '2000-01-01T00:00:00' }
const fixedPart = { ...elsewhere, name: 'renamed', dataset_id: crypto.randomUUID() }

const kinds: readonly Kind[] = [
  {
    name: 'users',
    list: () => '/users',
    one: (id) => `/users/${id}`,
    make: (username) => post('/users', { username, first_name: 'F', password: 'long enough' }),
    change: { first_name: 'G' },
    fixed: { ...elsewhere, api_key: 'mine' },
  },
  {
    name: 'workspaces',
    list: () => '/me/workspaces',
    one: (id) => `/workspaces/${id}`,
    make: (name) => post('/workspaces', { name }),
  },
  {
    name: 'members',
    list: () => `/workspaces/${fixture.workspace.id}/users`,
    one: (id) => `/users/${id}`,
    make: async (username) => {
      const { id } = await post('/users', { username: `member ${username}`, first_name: 'F', password: 'long enough' })
      return post(`/workspaces/${fixture.workspace.id}/users`, { user_id: id })
    },
    change: { first_name: 'G' },
  },
  {
    name: 'datasets',
    list: () => '/me/datasets',
    one: (id) => `/datasets/${id}`,
    make: (name) => post('/datasets', { name, workspace_id: fixture.workspace.id }),
    change: { guidelines: 'new' },
    fixed: { ...elsewhere, workspace_id: crypto.randomUUID(), status: 'ready', last_activity_at: '2000-01-01T00:00:00' },
  },
  {
    name: 'fields',
    list: () => inDraft('fields'),
    one: (id) => `/fields/${id}`,
    make: part('fields', { required: true, settings: { type: 'text' } }),
    change: { title: 'U' },
    fixed: { ...fixedPart, required: false },
  },
  {
    name: 'questions',
    list: () => inDraft('questions'),
    one: (id) => `/questions/${id}`,
    make: part('questions', { required: true, settings: { type: 'text' } }),
    change: { title: 'U' },
    fixed: { ...fixedPart, required: false },
  },
  {
    name: 'metadata properties',
    list: () => `/me/${inDraft('metadata-properties').slice(1)}`,
    one: (id) => `/metadata-properties/${id}`,
    make: part('metadata-properties', { settings: { type: 'integer', min: 1 } }),
    change: { visible_for_annotators: false },
    fixed: { ...fixedPart, settings: { type: 'integer', min: 2 } },
  },
  {
    name: 'vector settings',
    list: () => inDraft('vectors-settings'),
    one: (id) => `/vectors-settings/${id}`,
    make: part('vectors-settings', { dimensions: 3 }),
    change: { title: 'U' },
    fixed: { ...fixedPart, title: 'T', dimensions: 4 },
  },
  {
    name: 'webhooks',
    list: () => '/webhooks',
    one: (id) => `/webhooks/${id}`,
    make: (name) => post('/webhooks', { url: `https://x.test/${encodeURI(name)}`, events: ['response.deleted'] }),
    change: { events: ['response.deleted', 'record.deleted'] },
    fixed: { ...elsewhere, secret: 'mine' },
  },
  {
    name: 'records',
    list: () => `/datasets/${fixture.rich.dataset.id}/records?limit=1000`,
    one: (id) => `/records/${id}`,
    make: () => fixture.newRecord() as unknown as Promise<Thing>,
    change: { metadata: { changed: 1 } },
    fixed: { ...elsewhere, status: 'completed', external_id: 'x', dataset_id: crypto.randomUUID(), responses: [] },
  },
]
const named = kinds.map((kind) => [kind.name, kind] as const)

describe('a list returns the oldest item first, even after changes', () => {
  test.each(named)('%s', async (kind, { list, one, make, change }) => {
    const made: Thing[] = []
    for (const name of ['c-third', 'A-first', 'é-last', '0-zero']) {
      made.push(await make(kind === 'workspaces' ? name.replace('é', 'z') : name))
    }
    if (change) for (const { id } of [made[3]!, made[0]!]) must(await fixture.owner.patch(one(id), change))
    const { items } = must(await fixture.owner.get<{ items: Thing[] }>(list()))
    const ids = made.map(({ id }) => id)
    expect(items.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids)
  })
})

describe('updated_at', () => {
  const changing = kinds.filter((kind): kind is Kind & { change: object } => kind.change !== undefined && kind.name !== 'members')
  test.each(changing.map((kind) => [kind.name, kind] as const))(
    'of %s equals inserted_at at first, moves with a change, and stays the same without one',
    async (name, { one, make, change, fixed }) => {
      const made = await make(`${name} to change`)
      const path = one(made.id)
      if (name !== 'records') expect(made.updated_at).toBe(made.inserted_at)
      // An empty update changes nothing. An update of vector settings must contain the title.
      const nothing = await fixture.owner.patch<Thing>(path, name === 'vector settings' ? { title: 'T' } : {})
      expect(nothing).toMatchObject({ status: 200, body: made })
      expect((await fixture.owner.patch(path, { ...fixed })).body).toEqual(made)
      const changed = must(await fixture.owner.patch<Thing>(path, change))
      expect(changed.inserted_at).toBe(made.inserted_at)
      expect(changed.updated_at > made.updated_at).toBe(true)
      const again = must(await fixture.owner.patch<Thing>(path, change))
      // Every update of a record changes its `updated_at`, even if the values are equal: a client that sends a record has usually
      // changed something.
      if (name === 'records') expect(again.updated_at > changed.updated_at).toBe(true)
      else expect(again).toEqual(changed)
    },
  )

  it('of an answer stays the same when a replacement is identical, and moves in a bulk request', async () => {
    const { id } = await fixture.newRecord()
    const body = { status: 'draft', values: richValues(word) }
    const made = must(await fixture.owner.post<Response>(`/records/${id}/responses`, body))
    expect(made.updated_at).toBe(made.inserted_at)
    expect((await fixture.owner.put(`/responses/${made.id}`, body)).body).toEqual(made)
    const items = [{ record_id: id, ...body }]
    const bulk = must(await fixture.owner.post<{ items: { item: Response }[] }>('/me/responses/bulk', { items }))
    expect(bulk.items[0]!.item.updated_at > made.updated_at).toBe(true)
    expect(bulk.items[0]!.item.inserted_at).toBe(made.inserted_at)
  })

  it('of a dataset stays the same while its parts, records and answers change', async () => {
    const { id } = fixture.rich.dataset
    const before = must(await fixture.owner.get<Dataset>(`/datasets/${id}`))
    const property = must(
      await fixture.owner.post<Thing>(`/datasets/${id}/metadata-properties`, {
        name: 'late',
        title: 'T',
        settings: { type: 'terms' },
      }),
    )
    must(await fixture.owner.patch(`/metadata-properties/${property.id}`, { title: 'U' }))
    must(await fixture.owner.delete(`/metadata-properties/${property.id}`))
    must(await fixture.owner.patch(`/fields/${Object.values(fixture.rich.fields)[0]}`, { title: 'U' }))
    const record = await fixture.newRecord()
    must(await fixture.owner.patch(`/records/${record.id}`, { metadata: null }))
    const after = must(await fixture.owner.get<Dataset>(`/datasets/${id}`))
    expect(after.updated_at).toBe(before.updated_at)
    must(await fixture.owner.post(`/records/${record.id}/responses`, { status: 'draft' }))
    const active = must(await fixture.owner.get<Dataset>(`/datasets/${id}`))
    expect([active.updated_at, active.last_activity_at > after.last_activity_at]).toEqual([before.updated_at, true])
  })

  it('of a record stays the same while its suggestions change', async () => {
    const record = await fixture.newRecord()
    const [suggestion] = record.suggestions ?? []
    const body = { question_id: fixture.rich.questions[`${word}-stars`], value: 1 }
    expect((await fixture.owner.put(`/records/${record.id}/suggestions`, body)).status).toBe(201)
    must(await fixture.owner.delete(`/suggestions/${suggestion?.id}`))
    expect(must(await fixture.owner.get<Record>(`/records/${record.id}`)).updated_at).toBe(record.updated_at)
  })
})

it('timestamps increase with every row, even within one bulk request', async () => {
  const fields = { [`${word}-text`]: 'x' }
  const items = Array.from({ length: 50 }, () => ({ fields }))
  const made = must(
    await fixture.owner.post<{ items: Record[] }>(`/datasets/${fixture.rich.dataset.id}/records/bulk`, { items }),
  ).items
  const times = made.map(({ inserted_at }) => inserted_at)
  expect(new Set(times).size).toBe(50)
  expect([...times].sort()).toEqual(times)
})
