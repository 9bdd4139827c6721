import type { Dataset } from '@postil/contract/datasets.ts'
import type { SavedView } from '@postil/contract/saved-views.ts'
import { type Client, createClient } from '@postil/testkit/client.ts'
import { createFactories, type TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postil } from '../harness/cli.ts'
import type { Place, RunningServer } from '../harness/server.ts'
import { emptyPlace, OWNER, startServer } from '../harness/server.ts'
import { documentOf, from } from './migrate/source.ts'

let place: Place
let source: RunningServer
let client: Client
let dataset: Dataset
let ann: TestUser
let ben: TestUser
let cy: TestUser

const must = <T>({ status, body }: { readonly status: number; readonly body: T }): T => {
  if (status >= 300) throw new Error(`the server answered ${status} ${JSON.stringify(body).slice(0, 500)}`)
  return body
}
const as = ({ api_key }: TestUser, url = source.url) => createClient(url, { api_key })
const at = (route: string) => `/datasets/${dataset.id}/${route}`
const keepView = async (client: Client, name: string, shared: boolean) =>
  must(await client.post<SavedView>(at('views'), { name, query: 'status=pending', shared }))
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
  must(await client.post(at('records/bulk'), { items }))
  const { items: records } = must(await client.get<{ items: { id: string }[] }>(at('records')))
  const answer = async (user: TestUser, i: number) =>
    must(await as(user).post<{ id: string }>(`/records/${records[i]?.id}/responses`, { status: 'draft', values: {} }))
  const first = await answer(ben, 2)
  must(await as(ben).delete(`/responses/${first.id}`))
  await answer(ann, 0)
  await answer(ben, 2)
  must(await as(cy).delete(`/responses/${(await answer(cy, 1)).id}`))
  must(await client.put(at('queue-settings'), queue))
  const { items: questions } = must(await client.get<{ items: { id: string }[] }>(at('questions')))
  const colours = [
    { value: 'yes', hue: 120 },
    { value: 'no', hue: 0 },
  ]
  must(await client.put(`/questions/${questions[0]?.id}/label-colours`, { colours }))
  await keepView(client, 'of the owner alone', false)
  await keepView(as(ann), 'of ann alone', false)
  await keepView(as(cy), 'of cy for all', true)
  await keepView(as(gone), 'of somebody who has left', true)
  must(await client.delete(`/workspaces/${team}/users/${gone.id}`))
})
afterAll(async () => {
  await source.stop()
  await place.drop()
})

/** What the owner is told of the dataset that the published wire does not have. */
const additionsAt = async (client: Client) => ({
  queue: must(await client.get(at('queue-settings'))),
  colours: must(await client.get(at('label-colours'))),
  views: must(await client.get(at('views'))),
})

test('how records are handed out, colours of labels and saved views come along, and what is newer there with the next run', async () => {
  const target = await emptyPlace()
  const copy = () => postil(target, from(source.url, '--dataset', 'assigned', '--json'))
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
  expect(must(await as(ben, server.url).post<Queue>(path, {})).items).toMatchObject([{ record: { fields: { text: 'for ben' } } }])

  must(await client.put(at('queue-settings'), { ...queue, max_per_person: 6 }))
  const [shared] = must(await as(cy).get<{ items: SavedView[] }>(at('views'))).items
  must(await as(cy).patch(at(`views/${shared?.id}`), { query: 'status=submitted' }))
  await keepView(as(cy, server.url), 'the same', true)
  await keepView(as(cy), 'the same', true)
  expect(documentOf(await copy())).toMatchObject({ code: 0, left_out: [] })
  const named = ({ items }: { items: SavedView[] }) => items.map(({ name, query }) => [name, query])
  const now = await additionsAt(here)
  const there = await additionsAt(client)
  expect(now).toMatchObject({ queue: there.queue, colours: there.colours })
  expect(named(now.views as never)).toEqual(named(there.views as never))

  await keepView(as(cy, server.url), 'of here', true)
  must(await as(cy).patch(at(`views/${shared?.id}`), { name: 'of here' }))
  const last = await postil(target, from(source.url, '--dataset', 'assigned'))
  expect([last.code, last.stdout]).toEqual([
    1,
    expect.stringContaining("Left out: the saved view 'of here' in 'assigned': its author has another view of that name here\n"),
  ])
  await server.stop()
  await target.drop()
})

test('people stay in the order of their first answers, also those whose first answer, or whose answers, are gone', async () => {
  const progress = async (client: Client) => must(await client.get<{ users: { username: string }[] }>(at('progress'))).users
  const expected = [ben, ann, cy].map(({ username }) => ({ username }))
  expect(await progress(client)).toEqual(expected)
  const target = await emptyPlace()
  const server = await startServer({ place: target })
  const here = createClient(server.url, { api_key: OWNER.apiKey })
  for (const _ of ['first', 'again']) {
    expect(documentOf(await postil(target, from(source.url, '--dataset', 'assigned', '--json')))).toMatchObject({ code: 0 })
    expect(await progress(here)).toEqual(expected)
  }
  await server.stop()
  await target.drop()
})

test('what was chosen here stays where nothing is chosen there', async () => {
  const target = await emptyPlace()
  const { createDataset } = createFactories(client)
  const { workspace_id } = dataset
  const plain = await createDataset({ name: 'plain', workspace_id })
  const copy = () => postil(target, from(source.url, '--dataset', 'plain', '--json'))
  const server = await startServer({ place: target })
  const here = createClient(server.url, { api_key: OWNER.apiKey })
  expect(documentOf(await copy())).toMatchObject({ code: 0 })
  must(await here.put(`/datasets/${plain.id}/queue-settings`, { max_per_person: 1 }))
  expect(documentOf(await copy())).toMatchObject({ code: 0 })
  expect(must(await here.get(`/datasets/${plain.id}/queue-settings`))).toMatchObject({ max_per_person: 1 })
  await server.stop()
  await target.drop()
})
