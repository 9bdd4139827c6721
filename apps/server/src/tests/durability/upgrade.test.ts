import type { SchemaPlan } from '@postil/contract/schema-versions.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client, Response } from '@postil/testkit/client.ts'
import { isFullRun } from '@postil/testkit/run-size.ts'
import { emptyPlace } from '@postil/testkit/store.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { markForRebuild } from '#features/doctor/rebuild-dataset.ts'
import * as doctor from '#features/doctor/service.ts'
import { migrations } from '#platform/db/migrate.ts'
import { richRecord, richSchema, richValues } from '../api/testing/rich.ts'
import { activated } from '../api/testing/second-factor.ts'
import { makeOlder } from './testing/older-store.ts'
import { readPreservedRows, seedRows } from './testing/preserved-rows.ts'

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
  server.clientFor(null).post('/session', { username, password }, SAME_ORIGIN)

/** Creates data of every kind except records and first answers, which already exist. */
const leaveTraces = async (owner: Client, workspace: string, question: string) => {
  const answers = must(
    await owner.get<{ items: { id: string; responses: { id: string }[] }[] }>(
      `/datasets/${dataset}/records?limit=1&include=responses`,
    ),
  ).items[0]!
  changedRecord = answers.id
  const values = { ...richValues(WORD), [`${WORD}-comment`]: { value: `${WORD} second thought` } }
  must(await owner.put(`/responses/${answers.responses[0]?.id}`, { status: 'submitted', values }))
  // The server refuses this address before it sends anything.
  hook = must(await owner.post<{ id: string }>('/webhooks', { url: 'http://127.0.0.1:9/a', events: ['dataset.updated'] })).id
  must(await owner.patch(`/datasets/${dataset}`, { guidelines: `${WORD} other guidelines` }))
  must(await owner.put(`/datasets/${dataset}/queue-settings`, QUEUE))
  must(await owner.put(`/datasets/${dataset}/suggestion-settings`, { show: 'after_answer', blind_share: 0.2 }))
  must(await owner.put(`/datasets/${dataset}/active-time-settings`, { shown_to_leads: true }))
  must(await owner.put(`/questions/${question}/label-colours`, { colours: [{ value: `${WORD}-a`, hue: 210 }] }))
  const renamed = { type: 'rename_label', question_id: question, label: `${WORD}-b`, value: `${WORD}-b`, text: 'B' }
  const { token } = must(await owner.post<SchemaPlan>(`/datasets/${dataset}/schema/plan`, { changes: [renamed] }))
  must(await owner.post(`/datasets/${dataset}/schema/apply`, { token }))
  must(await owner.post(`/datasets/${dataset}/views`, { name: 'Mine', query: 'status=pending' }))
  const leaser = await newest.createUser({ workspaces: [workspace] })
  must(await newest.clientFor(leaser).post(`/me/datasets/${dataset}/queue`, { limit: 1, drafts: false }))
  // These assignments are in a separate dataset, because assigned records leave the queues of other people.
  const { id: assigned } = await newest.createDataset({ workspace_id: workspace })
  const items = [{ fields: { text: 'an assigned record' } }]
  const added = must(await owner.post<{ items: { id: string }[] }>(`/datasets/${assigned}/records/bulk`, { items }))
  const record_ids = added.items.map(({ id: record }) => record)
  must(await owner.post(`/datasets/${assigned}/assignments`, { record_ids, user_ids: [leaser.id] }))
  const gold = { mutation_id: crypto.randomUUID(), base_version: null, values: {}, final: false }
  must(await owner.put(`/records/${changedRecord}/gold`, gold))
  must(await owner.put(`/me/datasets/${dataset}/seen-version`, { version: 0 }))
  must(await owner.post(`/records/${changedRecord}/comments`, { text: `@${leaser.username}, please check` }))
  const connection = { name: 'local', base_url: 'http://localhost:11434/v1', model: 'small', api_key: 'sk-1' }
  must(await owner.post(`/workspaces/${workspace}/model-connections`, connection))
  const { headers } = await signIn(newest, leaser)
  cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  const user = await newest.createUser()
  await activated(newest.clientFor(user), user)
  careful = user
  expect((await signIn(newest, { ...careful, password: 'wrong' })).status).toBe(401)
  await seedRows(placeOf(newest), 'ann')
}

const placeOf = ({ app }: TestServer) => ({ folder: app.ctx.config.dataDir, url: app.ctx.config.databaseUrl })

beforeAll(async () => {
  newest = await bootServer({ delivery: null })
  const owner = newest.clientFor(newest.owner)
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
    must(
      await newest.clientFor(user).post(`/records/${record.id}/responses`, {
        status,
        values: richValues(WORD),
        // The first answer has no active time. Its earlier version moves to the history, and older stores can't hold active times
        // in their history.
        active_ms: index === 0 ? null : index * 1_000,
      }),
    )
    if (index % 2 === 0)
      must(await owner.post(`/records/${record.id}/responses`, { status: 'submitted', values: richValues(WORD) }))
  }
  await leaveTraces(owner, workspace_id, ids[`${WORD}-label`] ?? '')
})
afterAll(() => newest.close())

const terms = (scope: object, ...values: string[]) => ({ type: 'terms', scope, values })

/** The server's responses about the dataset from many endpoints. */
const describeState = async (owner: Client, ann: Client) => {
  const search = (client: Client, own: boolean, body: object) =>
    client.post(`${own ? '/me' : ''}/datasets/${dataset}/records/search?limit=20`, body).then(must)
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

/**
 * Returns the server's responses to requests for the data that `leaveTraces` creates. Leaves out data that a store of the given
 * version can't contain.
 */
const traces = async (server: TestServer, version: string) => {
  const [owner, ann] = [server.clientFor(server.owner), server.clientFor(annotator)]
  const pages: readonly (readonly [since: string, look: () => Promise<Parameters<typeof must>[0]>])[] = [
    ['0001', () => owner.get(`/records/${changedRecord}/history`)],
    ['0001', () => owner.get('/webhooks')],
    ['0001', () => owner.get(`/webhooks/${hook}/deliveries`)],
    ['0001', () => server.clientFor(null).get('/me', { cookie })],
    ['0009', () => ann.get('/me/identities')],
    ['0010', () => owner.get(`/datasets/${dataset}/views`)],
    ['0010', () => owner.get(`/datasets/${dataset}/label-colours`)],
    ['0012', () => owner.get(`/datasets/${dataset}/queue-settings`)],
    ['0040', () => ann.get(`/me/datasets/${dataset}/active-time`)],
  ]
  const describeState: unknown[] = []
  for (const [since, load] of pages) if (version >= since) describeState.push(must(await load()))
  return describeState
}

/**
 * The versions to test. Full runs test all versions. Other runs test the oldest version, the newest three and every sixth one
 * between them. Stores of the skipped versions are upgraded by the same migrations.
 */
const names = migrations
  .map(({ name }) => name)
  .filter((_, index, { length }) => isFullRun || index % 6 === 0 || index >= length - 3)

// A busy machine takes more than a minute to start three servers.
it.each(names)('a database of version %s is upgraded with all its data', { timeout: 180_000 }, async (name) => {
  const expectedState = await describeState(newest.clientFor(newest.owner), newest.clientFor(annotator))
  const expectedTraces = await traces(newest, name)
  const place = await emptyPlace()
  try {
    await makeOlder(placeOf(newest), place, name)
    const before = await readPreservedRows(place, name)
    expect(Object.keys(before).filter((table) => before[table]?.length === 0)).toEqual([])
    const upgraded = await bootServer({ place, delivery: null })
    try {
      const { ctx } = upgraded.app
      const after = await readPreservedRows(place, name)
      for (const [table, rows] of Object.entries(before))
        expect(after[table]).toEqual(expect.arrayContaining(rows.map((row) => expect.objectContaining(row))))
      expect(await traces(upgraded, name)).toEqual(expectedTraces)
      expect(JSON.stringify(await traces(upgraded, name))).toContain(`${WORD} comment`)
      if (name >= '0021')
        expect(await signIn(upgraded, careful)).toMatchObject({ status: 401, body: { second_factor: 'needed' } })
      await expect.poll(async () => (await doctor.datasetsToCheck(ctx)).length).toBe(2)
      const upgradedDataset = (await doctor.datasetsToCheck(ctx)).find(({ id }) => id === dataset)!
      // The text index isn't copied. Stores older than version 0003 can't record that the index is missing.
      if (name < '0003') await ctx.store.write(markForRebuild, { dataset_no: upgradedDataset.no })
      await expect
        .poll(async () => (await doctor.checkDataset(ctx, upgradedDataset)).differences, { timeout: 20_000 })
        .toEqual([])
      const ann = upgraded.clientFor(annotator)
      await expect.poll(() => describeState(upgraded.clientFor(upgraded.owner), ann), { timeout: 20_000 }).toEqual(expectedState)
      // The upgraded store must accept new data without conflicts with the old data.
      const [record] = must(
        await ann.post<{ items: { record: { id: string } }[] }>(`/me/datasets/${dataset}/queue`, { limit: 1, drafts: false }),
      ).items
      must(await ann.post(`/records/${record?.record.id}/responses`, { status: 'submitted', values: richValues(WORD) }))
      const workspace = await upgraded.createWorkspace('after-the-upgrade')
      const { id } = await upgraded.createDataset({ workspace_id: workspace.id })
      expect(must(await upgraded.clientFor(upgraded.owner).get<{ id: string }>(`/datasets/${id}`)).id).toBe(id)
      expect((await doctor.checkDataset(ctx, upgradedDataset)).differences).toEqual([])
    } finally {
      await upgraded.close()
    }
  } finally {
    await place.drop()
  }
})
