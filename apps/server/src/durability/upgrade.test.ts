import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client, Response } from '@postil/testkit/client.ts'
import { emptyPlace } from '@postil/testkit/store.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as doctor from '#features/doctor/service.ts'
import { migrations } from '#platform/db/migrate.ts'
import { richRecord, richSchema, richValues } from '../wire/testing/rich.ts'
import { makeOlder } from './testing/older-store.ts'

const WORD = 'upgrade'

const must = <T>({ status, body }: Response<T>): T => {
  if (status >= 300) throw new Error(`the server answered ${status} ${JSON.stringify(body)}`)
  return body
}

let newest: TestServer
let dataset: string
let annotator: { readonly api_key: string }

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

const names = migrations.map(({ name }) => name)

it.each(names)('a store of version %s is brought up to date with all that is in it', async (name) => {
  const wanted = await told(newest.as(newest.owner), newest.as(annotator))
  const { dataDir, databaseUrl } = newest.app.ctx.config
  const place = await emptyPlace()
  try {
    await makeOlder({ folder: dataDir, url: databaseUrl }, place, name)
    const upgraded = await bootServer({ place, delivery: null })
    try {
      const { ctx } = upgraded.app
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
