import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client, Response } from '@postil/testkit/client.ts'
import { emptyPlace } from '@postil/testkit/store.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as doctor from '#features/doctor/service.ts'
import { migrations } from '#platform/db/migrate.ts'
import { richRecord, richSchema, richValues } from '../wire/testing/rich.ts'
import { activated } from '../wire/testing/second-factor.ts'
import { keptRows, seedRows } from './testing/kept-rows.ts'
import { makeOlder } from './testing/older-store.ts'

const WORD = 'upgrade'

const must = <T>({ status, body }: Response<T>): T => {
  if (status >= 300) throw new Error(`the server answered ${status} ${JSON.stringify(body)}`)
  return body
}

let newest: TestServer
let dataset: string
let annotator: { readonly api_key: string }
let changedRecord: string
let hook: string
let cookie: string
let careful: { readonly username: string; readonly password: string }

const QUEUE = { order: [{ scope: { entity: 'metadata', metadata_property: `${WORD}-size` }, order: 'desc' }] }
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }
const signIn = (server: TestServer, { username, password }: typeof careful) =>
  server.as(null).post('/session', { username, password }, SAME_ORIGIN)

/** What people leave behind beside records and their first answers. */
const leaveTraces = async (owner: Client, workspace: string, question: string) => {
  const answers = must(
    await owner.get<{ items: { id: string; responses: { id: string }[] }[] }>(
      `/datasets/${dataset}/records?limit=1&include=responses`,
    ),
  ).items[0]!
  changedRecord = answers.id
  const values = { ...richValues(WORD), [`${WORD}-comment`]: { value: `${WORD} second thought` } }
  must(await owner.put(`/responses/${answers.responses[0]?.id}`, { status: 'submitted', values }))
  // NOTE: an address that is refused before anything is sent
  hook = must(await owner.post<{ id: string }>('/webhooks', { url: 'http://127.0.0.1:9/a', events: ['dataset.updated'] })).id
  must(await owner.patch(`/datasets/${dataset}`, { guidelines: `${WORD} other guidelines` }))
  must(await owner.put(`/datasets/${dataset}/queue-settings`, QUEUE))
  must(await owner.put(`/questions/${question}/label-colours`, { colours: [{ value: `${WORD}-a`, hue: 210 }] }))
  must(await owner.post(`/datasets/${dataset}/views`, { name: 'Mine', query: 'status=pending' }))
  const leaser = await newest.createUser({ workspaces: [workspace] })
  must(await newest.as(leaser).post(`/me/datasets/${dataset}/queue`, { limit: 1, drafts: false }))
  const { headers } = await signIn(newest, leaser)
  cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  const user = await newest.createUser()
  await activated(newest.as(user), user)
  careful = user
  expect((await signIn(newest, { ...careful, password: 'wrong' })).status).toBe(401)
  await seedRows(placeOf(newest), 'ann')
}

const placeOf = ({ app }: TestServer) => ({ folder: app.ctx.config.dataDir, url: app.ctx.config.databaseUrl })

beforeAll(async () => {
  newest = await bootServer({ delivery: null })
  const owner = newest.as(newest.owner)
  const { id, workspace_id } = await newest.createDataset({
    ...richSchema(WORD),
    distribution: { strategy: 'overlap', min_submitted: 2 },
  })
  dataset = id
  const user = await newest.createUser({ username: 'ann', workspaces: [workspace_id] })
  annotator = user
  const { items: questions } = must(await owner.get<{ items: { id: string; name: string }[] }>(`/datasets/${id}/questions`))
  const ids = Object.fromEntries(questions.map(({ id: question, name }) => [name, question]))
  const items = Array.from({ length: 60 }, (_, index) => ({
    ...richRecord(WORD, `record-${index}`, ids),
    metadata: { [`${WORD}-size`]: index, [`${WORD}-topic`]: [`${WORD} ${index % 3 === 0 ? 'one' : 'two'}`] },
  }))
  const { items: records } = must(await owner.post<{ items: { id: string }[] }>(`/datasets/${id}/records/bulk`, { items }))
  for (const [index, record] of records.entries()) {
    const status = (['submitted', 'discarded', 'draft'] as const)[index % 5]
    if (status === undefined) continue
    must(await newest.as(user).post(`/records/${record.id}/responses`, { status, values: richValues(WORD) }))
    if (index % 2 === 0)
      must(await owner.post(`/records/${record.id}/responses`, { status: 'submitted', values: richValues(WORD) }))
  }
  await leaveTraces(owner, workspace_id, ids[`${WORD}-label`] ?? '')
})
afterAll(() => newest.close())

const terms = (scope: object, ...values: string[]) => ({ type: 'terms', scope, values })

/** What a server says of the dataset, in many ways. */
const told = async (owner: Client, ann: Client) => {
  const search = (client: Client, mine: boolean, body: object) =>
    client.post(`${mine ? '/me' : ''}/datasets/${dataset}/records/search?limit=20`, body).then(must)
  const property = { entity: 'metadata', metadata_property: `${WORD}-topic` }
  const size = { entity: 'metadata', metadata_property: `${WORD}-size` }
  return {
    dataset: must(await owner.get(`/datasets/${dataset}`)),
    records: must(await owner.get(`/datasets/${dataset}/records?limit=100&include=responses,suggestions,vectors`)),
    progress: must(await owner.get(`/datasets/${dataset}/progress`)),
    metrics: must(await ann.get(`/me/datasets/${dataset}/metrics`)),
    users: must(await owner.get('/users')),
    text: await search(owner, false, { query: { text: { q: `${WORD} question` } } }),
    found: await search(owner, false, {
      filters: { and: [terms(property, `${WORD} one`), { type: 'range', scope: size, ge: 10, le: 50 }] },
      sort: [{ scope: size, order: 'desc' }],
    }),
    similar: await search(owner, false, { query: { vector: { name: `${WORD}-vector`, value: [0.4, -0.9] } } }),
    pending: await search(ann, true, {
      filters: {
        and: [
          terms({ entity: 'record', property: 'status' }, 'pending'),
          terms({ entity: 'response', property: 'status' }, 'pending'),
        ],
      },
    }),
  }
}

/** What a server says of the traces; each with the first version that can hold it. */
const traces = async (server: TestServer, version: string) => {
  const [owner, ann] = [server.as(server.owner), server.as(annotator)]
  const looks: readonly (readonly [since: string, look: () => Promise<Parameters<typeof must>[0]>])[] = [
    ['0001', () => owner.get(`/records/${changedRecord}/history`)],
    ['0001', () => owner.get('/webhooks')],
    ['0001', () => owner.get(`/webhooks/${hook}/deliveries`)],
    ['0001', () => server.as(null).get('/me', { cookie })],
    ['0009', () => ann.get('/me/identities')],
    ['0010', () => owner.get(`/datasets/${dataset}/views`)],
    ['0010', () => owner.get(`/datasets/${dataset}/label-colours`)],
    ['0012', () => owner.get(`/datasets/${dataset}/queue-settings`)],
  ]
  const told: unknown[] = []
  for (const [since, look] of looks) if (version >= since) told.push(must(await look()))
  return told
}

const names = migrations.map(({ name }) => name)

it.each(names)('a store of version %s is brought up to date with all that is in it', async (name) => {
  const wanted = await told(newest.as(newest.owner), newest.as(annotator))
  const wantedTraces = await traces(newest, name)
  const place = await emptyPlace()
  try {
    await makeOlder(placeOf(newest), place, name)
    const before = await keptRows(place, name)
    expect(Object.keys(before).filter((table) => before[table]?.length === 0)).toEqual([])
    const upgraded = await bootServer({ place, delivery: null })
    try {
      const { ctx } = upgraded.app
      const after = await keptRows(place, name)
      for (const [table, rows] of Object.entries(before))
        expect(after[table]).toEqual(expect.arrayContaining(rows.map((row) => expect.objectContaining(row))))
      expect(await traces(upgraded, name)).toEqual(wantedTraces)
      expect(JSON.stringify(await traces(upgraded, name))).toContain(`${WORD} comment`)
      if (name >= '0021')
        expect(await signIn(upgraded, careful)).toMatchObject({ status: 401, body: { second_factor: 'needed' } })
      await expect.poll(async () => (await doctor.patients(ctx)).length).toBe(1)
      const patient = (await doctor.patients(ctx))[0]!
      // The text index does not come along, and before that version a store could not say that it lacks one.
      if (name < '0003') await doctor.rebuild(ctx, patient)
      await expect.poll(async () => (await doctor.examine(ctx, patient)).differences, { timeout: 20_000 }).toEqual([])
      const ann = upgraded.as(annotator)
      await expect.poll(() => told(upgraded.as(upgraded.owner), ann), { timeout: 20_000 }).toEqual(wanted)
      // It goes on from there: nothing that is new now collides with what was there.
      const [record] = must(
        await ann.post<{ items: { record: { id: string } }[] }>(`/me/datasets/${dataset}/queue`, { limit: 1, drafts: false }),
      ).items
      must(await ann.post(`/records/${record?.record.id}/responses`, { status: 'submitted', values: richValues(WORD) }))
      const workspace = await upgraded.createWorkspace('after-the-upgrade')
      const { id } = await upgraded.createDataset({ workspace_id: workspace.id })
      expect(must(await upgraded.as(upgraded.owner).get<{ id: string }>(`/datasets/${id}`)).id).toBe(id)
      expect((await doctor.examine(ctx, patient)).differences).toEqual([])
    } finally {
      await upgraded.close()
    }
  } finally {
    await place.drop()
  }
})
