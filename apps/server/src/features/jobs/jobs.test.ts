import type { Dataset } from '@postil/contract/datasets.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ResponsesServer } from '#features/responses/testing/boot.ts'
import { bootWithTool } from '#features/responses/testing/boot.ts'
import { rowsOf, textHits } from '#features/responses/testing/operations.ts'
import { indexKey } from '#platform/db/keys/index-keys.ts'
import type { TableName } from '#platform/db/tables.ts'
import { tables } from '#platform/db/tables.ts'

let server: ResponsesServer
let ann: TestUser
let admin: TestUser
beforeAll(async () => {
  server = await bootWithTool()
  const workspace = (await server.createWorkspace()).id
  ann = await server.createUser({ workspaces: [workspace] })
  admin = await server.createUser({ role: 'admin' })
})
afterAll(() => server.close())

const rows = (table: TableName) => server.tool.read(rowsOf, { table })
const jobsOf = async (kind: string) => (await rows('jobs')).filter((job) => job.kind === kind)
const finished = (kind: string) =>
  vi.waitFor(
    async () => expect((await jobsOf(kind)).map(({ state }) => state).filter((state) => state !== 'finished')).toEqual([]),
    { timeout: 15_000, interval: 100 },
  )
const addRecords = async (dataset: Dataset, count: number, metadata?: (i: number) => object) => {
  const items = Array.from({ length: count }, (_, i) => ({
    fields: { text: `word${i} common` },
    metadata: metadata?.(i),
    vectors: { v: [1, i] },
    suggestions: [],
  }))
  const { status, body } = await server
    .clientFor(server.owner)
    .post<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records/bulk`, { items })
  expect(status).toBe(201)
  return body.items.map(({ id }) => id)
}

describe('GET /jobs/{id}', () => {
  it('shows the state to who started the job, admins of its workspace and owners', async () => {
    const workspace = (await server.createWorkspace()).id
    const [starter, inside] = [
      await server.createUser({ role: 'admin', workspaces: [workspace] }),
      await server.createUser({ role: 'admin', workspaces: [workspace] }),
    ]
    const outside = await server.createUser({ role: 'admin', workspaces: [(await server.createWorkspace()).id] })
    const annotator = await server.createUser({ workspaces: [workspace] })
    const dataset = await server.createDataset({ workspace_id: workspace })
    const body = { name: 'a/b', subset: 's', split: 't', mapping: { fields: [{ source: 'text', target: 'text' }] } }
    const { body: job } = await server.clientFor(starter).post<Job>(`/datasets/${dataset.id}/import`, body)
    const statusFor = async (user: TestUser) => (await server.clientFor(user).get(`/jobs/${job.id}`)).status
    for (const user of [starter, inside, server.owner]) expect(await statusFor(user)).toBe(200)
    for (const user of [outside, annotator]) expect(await statusFor(user)).toBe(403)
    await server.clientFor(server.owner).delete(`/workspaces/${workspace}/users/${starter.id}`)
    expect(await statusFor(starter)).toBe(200)
  })

  it('shows only owners the server’s own jobs, and returns 404 before 403', async () => {
    const dataset = await server.createDataset()
    await server.clientFor(server.owner).delete(`/datasets/${dataset.id}`)
    await finished('dataset.purge')
    const id = String((await jobsOf('dataset.purge'))[0]?.id)
    expect((await server.clientFor(server.owner).get<Job>(`/jobs/${id}`)).body).toEqual({
      id,
      status: 'finished',
      done: 0,
      total: null,
      reason: null,
    })
    expect((await server.clientFor(admin).get(`/jobs/${id}`)).status).toBe(403)
    expect((await server.clientFor(ann).get(`/jobs/${id}`)).status).toBe(403)
    expect((await server.clientFor(null).get(`/jobs/${id}`)).status).toBe(401)
    for (const unknown of ['nonsense', '00000000-0000-7000-8000-000000000000', '%00']) {
      expect(await server.clientFor(ann).get(`/jobs/${unknown}`)).toMatchObject({
        status: 404,
        body: { detail: expect.any(String) },
      })
    }
  })
})

describe('a deleted dataset', () => {
  it('leaves no row in any table, and keeps other datasets’ rows', async () => {
    const make = async () => {
      const dataset = await server.createDataset({
        metadata_properties: [{ name: 'topic', settings: { type: 'terms' } }],
        vectors_settings: [{ name: 'v', dimensions: 2 }],
      })
      const ids = await addRecords(dataset, 60, (i) => ({ topic: `t${i}` }))
      for (const id of ids.slice(0, 5)) {
        await server
          .clientFor(server.owner)
          .post(`/records/${id}/responses`, { status: 'submitted', values: { label: { value: 'yes' } } })
      }
      await server.clientFor(server.owner).delete(`/records/${ids[0]}`)
      return dataset
    }
    const [doomed, remaining] = [await make(), await make()]
    const nos = new Map((await rows('datasets')).map(({ id, no }) => [id, no]))
    const perTable = async (dataset: Dataset) => {
      const counts: { [table: string]: number } = {}
      for (const [table, columns] of Object.entries(tables)) {
        if (table === 'jobs' || table === 'outbox') continue
        const found = (await rows(table as TableName)).filter(
          (row) =>
            ('dataset_no' in columns && row.dataset_no === nos.get(dataset.id)) ||
            ('dataset_id' in columns && row.dataset_id === dataset.id) ||
            row.id === dataset.id,
        )
        if (found.length > 0) counts[table] = found.length
      }
      return counts
    }
    const hits = (dataset: Dataset) => server.tool.read(textHits, { dataset_no: Number(nos.get(dataset.id)), token: 'common' })
    const [before, hitsBefore] = [await perTable(remaining), await hits(remaining)]
    expect([hitsBefore, await hits(doomed)]).toEqual([expect.stringContaining(','), expect.stringContaining(',')])
    expect(Object.keys(before).length).toBeGreaterThan(15)
    await server.clientFor(server.owner).delete(`/datasets/${doomed.id}`)
    await finished('dataset.purge')
    expect(await perTable(doomed)).toEqual({})
    expect(await perTable(remaining)).toEqual(before)
    expect([await hits(doomed), await hits(remaining)]).toEqual(['', hitsBefore])
  })
})

describe('a metadata property of a dataset with records', () => {
  it('is indexed in the background, including records written during that time', async () => {
    const dataset = await server.createDataset({ vectors_settings: [{ name: 'v', dimensions: 2 }] })
    await addRecords(dataset, 120, (i) => ({ topic: [`t${i % 3}`, 'all'], size: i, other: 'x' }))
    const created: { no: number }[] = []
    for (const [name, type] of [
      ['topic', 'terms'],
      ['size', 'integer'],
    ]) {
      const { body } = await server.clientFor(server.owner).post<{ id: string }>(`/datasets/${dataset.id}/metadata-properties`, {
        name,
        title: name,
        settings: { type },
      })
      created.push((await rows('metadata_properties')).find(({ id }) => id === body.id) as { no: number })
    }
    await addRecords(dataset, 10, (i) => ({ topic: 'late', size: 1000 + i }))
    await finished('property.backfill')
    const no = (await rows('datasets')).find(({ id }) => id === dataset.id)?.no
    const [topic, size] = created.map((property) => indexKey(property.no))
    const terms = (await rows('record_terms')).filter((row) => row.dataset_no === no && row.key === topic)
    const numbers = (await rows('record_numbers')).filter((row) => row.dataset_no === no && row.key === size)
    const count = (value: string) => terms.filter(({ value_key }) => value_key === value).length
    expect(['t0', 't1', 't2', 'all', 'late'].map(count)).toEqual([40, 40, 40, 120, 10])
    expect(terms).toHaveLength(250)
    expect(numbers.map(({ number }) => Number(number)).sort((a, b) => a - b)).toEqual([
      ...Array.from({ length: 120 }, (_, i) => i),
      ...Array.from({ length: 10 }, (_, i) => 1000 + i),
    ])
  })
})
