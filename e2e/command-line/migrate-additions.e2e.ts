import type { Dataset } from '@postil/contract/datasets.ts'
import type { SavedView } from '@postil/contract/saved-views.ts'
import { type Client, createClient } from '@postil/testkit/client.ts'
import { createFactories, type TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postil } from '../harness/cli.ts'
import type { Place, RunningServer } from '../harness/server.ts'
import { emptyPlace, OWNER, startServer } from '../harness/server.ts'
import { documentOf, migrateFrom } from './migrate/source.ts'

let place: Place
let source: RunningServer
let client: Client
let dataset: Dataset
let ann: TestUser
let ben: TestUser
let cy: TestUser

const expectOk = <T>({ status, body }: { readonly status: number; readonly body: T }): T => {
  if (status >= 300) throw new Error(`the server answered ${status} ${JSON.stringify(body).slice(0, 500)}`)
  return body
}
const clientFor = ({ api_key }: TestUser, url = source.url) => createClient(url, { api_key })
const at = (route: string) => `/datasets/${dataset.id}/${route}`
const saveView = async (client: Client, name: string, shared: boolean) =>
  expectOk(await client.post<SavedView>(at('views'), { name, query: 'status=pending', shared }))
const queue = {
  order: [{ scope: { entity: 'metadata', metadata_property: 'who' }, order: 'asc' }],
  max_per_person: 5,
  assigned_by: 'who',
}

beforeAll(async () => {
  place = await emptyPlace('sqlite')
  source = await startServer({ place })
  client = createClient(source.url, { api_key: OWNER.apiKey })
  const { createDataset, createUser, createWorkspace } = createFactories(client)
  const team = (await createWorkspace('team')).id
  ann = await createUser({ username: 'ann', workspaces: [team] })
  ben = await createUser({ username: 'ben', workspaces: [team] })
  cy = await createUser({ username: 'cy', role: 'admin', workspaces: [team] })
  const gone = await createUser({ username: 'gone', role: 'admin', workspaces: [team] })
  const who = { name: 'who', settings: { type: 'terms', values: ['ann', 'ben'] }, visible_for_annotators: false }
  dataset = await createDataset({ name: 'assigned', workspace_id: team, metadata_properties: [who] })
  const items = ['ann', 'ann', 'ben'].map((who) => ({ fields: { text: `for ${who}` }, metadata: { who } }))
  expectOk(await client.post(at('records/bulk'), { items }))
  const { items: records } = expectOk(await client.get<{ items: { id: string }[] }>(at('records')))
  const answer = async (user: TestUser, i: number) =>
    expectOk(await clientFor(user).post<{ id: string }>(`/records/${records[i]?.id}/responses`, { status: 'draft', values: {} }))
  const first = await answer(ben, 2)
  expectOk(await clientFor(ben).delete(`/responses/${first.id}`))
  await answer(ann, 0)
  await answer(ben, 2)
  expectOk(await clientFor(cy).delete(`/responses/${(await answer(cy, 1)).id}`))
  expectOk(await client.put(at('queue-settings'), queue))
  expectOk(await client.put(at('suggestion-settings'), { show: 'after_answer', blind_share: 0.2 }))
  const { items: questions } = expectOk(await client.get<{ items: { id: string }[] }>(at('questions')))
  const colours = [
    { value: 'yes', hue: 120 },
    { value: 'no', hue: 0 },
  ]
  expectOk(await client.put(`/questions/${questions[0]?.id}/label-colours`, { colours }))
  await saveView(client, 'of the owner alone', false)
  await saveView(clientFor(ann), 'of ann alone', false)
  await saveView(clientFor(cy), 'of cy for all', true)
  await saveView(clientFor(gone), 'of somebody who has left', true)
  expectOk(await client.delete(`/workspaces/${team}/users/${gone.id}`))
})
afterAll(async () => {
  await source.stop()
  await place.drop()
})

/** The settings of the dataset that exist only in Postil, not in Argilla's API. */
const additionsAt = async (client: Client) => ({
  queue: expectOk(await client.get(at('queue-settings'))),
  suggestions: expectOk(await client.get(at('suggestion-settings'))),
  colours: expectOk(await client.get(at('label-colours'))),
  views: expectOk(await client.get(at('views'))),
})

test('assignment, label colors and saved views are copied, and later changes follow with the next run', async () => {
  const target = await emptyPlace()
  const copy = () => postil(target, migrateFrom(source.url, '--dataset', 'assigned', '--json'))
  expect(documentOf(await copy())).toMatchObject({
    code: 0,
    people: { users: { source: 5, here: 5 } },
    notes: [expect.stringContaining('Saved views that are not shared')],
  })
  const server = await startServer({ place: target })
  const here = createClient(server.url, { api_key: OWNER.apiKey })
  const expected = await additionsAt(client)
  expect(expected).toMatchObject({ queue, colours: { items: [{}] }, views: { items: [{}, {}, {}] } })
  expect(await additionsAt(here)).toEqual(expected)
  type Queue = { readonly items: { readonly record: { readonly fields: object } }[] }
  const path = `/me/datasets/${dataset.id}/queue`
  expect(expectOk(await clientFor(ben, server.url).post<Queue>(path, {})).items).toMatchObject([
    { record: { fields: { text: 'for ben' } } },
  ])

  expectOk(await client.put(at('queue-settings'), { ...queue, max_per_person: 6 }))
  const [shared] = expectOk(await clientFor(cy).get<{ items: SavedView[] }>(at('views'))).items
  expectOk(await clientFor(cy).patch(at(`views/${shared?.id}`), { query: 'status=submitted' }))
  await saveView(clientFor(cy, server.url), 'the same', true)
  await saveView(clientFor(cy), 'the same', true)
  expect(documentOf(await copy())).toMatchObject({ code: 0, left_out: [] })
  const named = ({ items }: { items: SavedView[] }) => items.map(({ name, query }) => [name, query])
  const now = await additionsAt(here)
  const there = await additionsAt(client)
  expect(now).toMatchObject({ queue: there.queue, colours: there.colours })
  expect(named(now.views as never)).toEqual(named(there.views as never))

  await saveView(clientFor(cy, server.url), 'of here', true)
  expectOk(await clientFor(cy).patch(at(`views/${shared?.id}`), { name: 'of here' }))
  const last = await postil(target, migrateFrom(source.url, '--dataset', 'assigned'))
  expect([last.code, last.stdout]).toEqual([
    1,
    expect.stringContaining(
      "Left out: the saved view 'of here' in 'assigned': its author has another view with that name here\n",
    ),
  ])
  await server.stop()
  await target.drop()
})

test('people stay in the order of their first answers, even if those answers were deleted', async () => {
  const progress = async (client: Client) => expectOk(await client.get<{ users: { username: string }[] }>(at('progress'))).users
  const expected = [ben, ann, cy].map(({ username }) => ({ username }))
  expect(await progress(client)).toEqual(expected)
  const target = await emptyPlace()
  const server = await startServer({ place: target })
  const here = createClient(server.url, { api_key: OWNER.apiKey })
  for (const _ of ['first', 'again']) {
    expect(documentOf(await postil(target, migrateFrom(source.url, '--dataset', 'assigned', '--json')))).toMatchObject({
      code: 0,
    })
    expect(await progress(here)).toEqual(expected)
  }
  await server.stop()
  await target.drop()
})

test('choices made on the target stay if the source has none', async () => {
  const target = await emptyPlace()
  const { createDataset } = createFactories(client)
  const { workspace_id } = dataset
  const plain = await createDataset({ name: 'plain', workspace_id })
  const copy = () => postil(target, migrateFrom(source.url, '--dataset', 'plain', '--json'))
  const server = await startServer({ place: target })
  const here = createClient(server.url, { api_key: OWNER.apiKey })
  expect(documentOf(await copy())).toMatchObject({ code: 0 })
  expectOk(await here.put(`/datasets/${plain.id}/queue-settings`, { max_per_person: 1 }))
  expectOk(await here.put(`/datasets/${plain.id}/suggestion-settings`, { show: 'never' }))
  expect(documentOf(await copy())).toMatchObject({ code: 0 })
  expect(expectOk(await here.get(`/datasets/${plain.id}/queue-settings`))).toMatchObject({ max_per_person: 1 })
  expect(expectOk(await here.get(`/datasets/${plain.id}/suggestion-settings`))).toMatchObject({ show: 'never' })
  await server.stop()
  await target.drop()
})
