import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { rowsOf } from '#features/responses/testing/operations.ts'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import type { TableName } from '#platform/db/tables.ts'
import { startBackground } from '#platform/jobs/background.ts'
import { insertIndexed, numberOf } from './testing/operations.ts'

let server: TestServer
let tool: Store
let background: ReturnType<typeof startBackground>

beforeAll(async () => {
  server = await bootServer()
  const { dataDir, databaseUrl } = server.app.ctx.config
  const operations = new URL('./testing/operations.ts', import.meta.url).href
  tool = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
  background = startBackground({ ...server.app.ctx, store: tool }, { pollMs: 20 })
})
afterAll(async () => {
  await background.stop()
  await tool.close()
  await server.close()
})

test('rows of a deleted property and of deleted vector settings are removed, and others stay', async () => {
  const owner = server.clientFor(server.owner)
  const dataset = await server.createDataset({
    metadata_properties: ['gone', 'kept'].map((name) => ({ name, settings: { type: 'terms' } })),
    vectors_settings: ['gone', 'kept'].map((name) => ({ name, dimensions: 2 })),
  })
  const list = async (path: string) => (await owner.get<{ items: { id: string }[] }>(path)).body.items.map(({ id }) => id)
  const properties = await list(`/me/datasets/${dataset.id}/metadata-properties`)
  const settings = await list(`/datasets/${dataset.id}/vectors-settings`)
  const count = 1_200
  for (const i of [0, 1]) {
    const property_no = await tool.write(numberOf, { table: 'metadata_properties', id: properties[i]! })
    const setting_no = await tool.write(numberOf, { table: 'vector_settings', id: settings[i]! })
    await tool.write(insertIndexed, { dataset_id: dataset.id, count, property_no, setting_no })
  }
  const counts = async () => {
    const tables: TableName[] = ['vectors', 'record_terms', 'record_numbers']
    return Promise.all(tables.map(async (table) => (await tool.read(rowsOf, { table })).length))
  }
  expect(await counts()).toEqual([2 * count, 4 * count, 2 * count])
  expect(await owner.delete(`/metadata-properties/${properties[0]}`)).toMatchObject({ status: 200 })
  expect(await owner.delete(`/vectors-settings/${settings[0]}`)).toMatchObject({ status: 200 })
  await vi.waitFor(async () => expect(await counts()).toEqual([count, 2 * count, count]), { timeout: 10_000, interval: 100 })
  const jobs = await tool.read(rowsOf, { table: 'jobs' })
  expect(jobs.map(({ kind }) => kind)).toEqual(['schema.drop-rows', 'schema.drop-rows'])
})

test('a vector index is deleted with its setting or its dataset', async ({ skip }) => {
  const { databaseUrl } = server.app.ctx.config
  if (databaseUrl === undefined) return skip('the embedded database has no such index')
  const owner = server.clientFor(server.owner)
  const sql = new pg.Client({ connectionString: databaseUrl })
  await sql.connect()
  try {
    const names = ['gone', 'kept', 'too']
    const [dataset, other] = await Promise.all(
      ['a', 'b'].map(() => server.createDataset({ vectors_settings: names.map((name) => ({ name, dimensions: 2 })) })),
    )
    for (const { id } of [dataset!, other!]) {
      const found = await sql.query(
        'select d.no, s.no as setting from vector_settings s join datasets d on d.id = s.dataset_id where d.id = $1',
        [id],
      )
      for (const { no, setting } of found.rows) {
        await sql.query(
          `create index vectors_hnsw_${no}_${setting} on vectors using hnsw ((embedding::vector(2)) vector_cosine_ops) where dataset_no = ${no} and setting_no = ${setting}`,
        )
      }
    }
    const left = async () => (await sql.query(`select 1 from pg_class where relname like 'vectors\\_hnsw\\_%'`)).rowCount
    expect(await left()).toBe(6)
    const { body } = await owner.get<{ items: { id: string }[] }>(`/datasets/${dataset!.id}/vectors-settings`)
    expect(await owner.delete(`/vectors-settings/${body.items[0]?.id}`)).toMatchObject({ status: 200 })
    await vi.waitFor(async () => expect(await left()).toBe(5), { timeout: 10_000, interval: 100 })
    expect(await owner.delete(`/datasets/${other!.id}`)).toMatchObject({ status: 200 })
    await vi.waitFor(async () => expect(await left()).toBe(2), { timeout: 10_000, interval: 100 })
  } finally {
    await sql.end()
  }
})
