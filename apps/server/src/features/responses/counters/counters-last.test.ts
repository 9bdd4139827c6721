import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ResponsesServer } from '../testing/boot.ts'
import { bootWithTool } from '../testing/boot.ts'
import { storeInside } from '../testing/operations.ts'

// Only on PostgreSQL, because the embedded database has a single writer, which never waits for another.
const onPostgres = it.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')

let server: ResponsesServer
let workspace: string
let sql: pg.Client
beforeAll(async () => {
  server = await bootWithTool()
  workspace = (await server.createWorkspace()).id
  sql = new pg.Client({ connectionString: server.app.ctx.config.databaseUrl })
  if (server.app.ctx.config.databaseUrl !== undefined) await sql.connect()
})
afterAll(async () => {
  if (server.app.ctx.config.databaseUrl !== undefined) await sql.end()
  await server.close()
})

const submitted = { status: 'submitted', values: { label: { value: 'yes' } } } as const

/**
 * Waits until a server connection is blocked by a lock that `sql` holds, then checks that the blocked connection holds no
 * counter locks.
 */
const expectFreeCounters = async (): Promise<void> => {
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await vi.waitFor(async () => expect((await sql.query(waiting)).rows).toHaveLength(1), { timeout: 10_000, interval: 50 })
  await sql.query('select * from dataset_counts for update nowait')
}

onPostgres('a deletion of a user that waits for a record holds no counters', async () => {
  const ann = await server.createUser({ workspaces: [workspace] })
  const dataset = (await server.createDataset({ workspace_id: workspace })).id
  const records = await server.addRecords(dataset, 150)
  const items = records.map((id) => ({ id, responses: [{ user_id: ann.id, ...submitted }] }))
  await server.tool.write(storeInside, { dataset_id: dataset, actor: ann.id, items })
  // Freezes the clock, so that the deletion doesn't run out of time before its second batch.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  await sql.query('begin')
  await sql.query('select seq from records where id = $1 for update', [records.at(-1)])
  const deletion = server.clientFor(server.owner).delete(`/users/${ann.id}`)
  await expectFreeCounters().finally(() => sql.query('rollback'))
  expect((await deletion).status).toBe(200)
  clock.mockRestore()
})

onPostgres('a bulk of records with answers that waits for a lock holds no counters', async () => {
  const ann = await server.createUser({ workspaces: [workspace] })
  const { id } = await server.createDataset({ workspace_id: workspace })
  const owner = server.clientFor(server.owner)
  await owner.post(`/datasets/${id}/records/bulk`, { items: [{ fields: { text: 'text' } }] })
  await sql.query('begin')
  await sql.query('insert into dataset_users (dataset_no, user_id, inserted_at) select no, $2, 0 from datasets where id = $1', [
    id,
    ann.id,
  ])
  const items = [{ fields: { text: 'text' }, responses: [{ user_id: ann.id, ...submitted }] }]
  const bulk = owner.post(`/datasets/${id}/records/bulk`, { items })
  await expectFreeCounters().finally(() => sql.query('rollback'))
  expect((await bulk).status).toBe(201)
})
