import type { TestUser } from '@postil/testkit/factories.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Ground } from '#features/records/testing/boot.ts'
import { bootGround, must } from '#features/records/testing/boot.ts'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { rebuildDataset } from './rebuild-dataset.ts'
import { patients, rebuild } from './service.ts'

// NOTE: the embedded store has one writer, who lets nobody wait for long
const onPostgres = it.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')
const HOLD = 60_000_000

let ground: Ground
let tool: Store
beforeAll(async () => {
  // The test itself carries out the jobs.
  ground = await bootGround({}, { background: { pollMs: 3_600_000 } })
  const { dataDir, databaseUrl } = ground.server.app.ctx.config
  const operations = new URL('../../operations.ts', import.meta.url).href
  tool = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
})
afterAll(async () => {
  await tool.close()
  await ground.close()
})

/** Rebuilds the dataset but for its last step. @returns that step */
const untilCounting = async (sql: pg.Client) => {
  const [patient] = await patients(ground.server.app.ctx)
  if (patient === undefined) throw new Error('there is no dataset')
  await rebuild(ground.server.app.ctx, patient)
  const [job] = await tool.write(takeJobs, { kinds: [rebuildDataset.kind], limit: 1, hold: HOLD })
  if (job === undefined) throw new Error('there is no job')
  const step = (until: number) => tool.write(rebuildDataset.step, { id: job.id, until, hold: HOLD })
  const isCounting = async (): Promise<boolean> =>
    (await sql.query("select 1 from jobs where id = $1 and args::text like '%counting%'", [job.id])).rows.length > 0
  let { until } = job
  while (!(await isCounting())) {
    const result = await step(until)
    if (result.state !== 'started') throw new Error('the job is over before it counts')
    until = result.until
  }
  return () => step(until)
}

onPostgres('a recount waits for the answers that are being stored, and not for those that come later', async () => {
  const { items } = must(await ground.post([{ fields: { text: 'one' } }, { fields: { text: 'two' } }]))
  const [one, other] = items.map(({ id }) => id)
  const connectionString = ground.server.app.ctx.config.databaseUrl
  // NOTE: inside a transaction the list of connections stays what it was
  const [sql, watch] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })]
  await Promise.all([sql.connect(), watch.connect()])
  const count = await untilCounting(sql)
  const waiting = async (n: number) => {
    const all = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect((await watch.query(all)).rows).toHaveLength(n), { timeout: 10_000, interval: 20 })
  }
  const over: string[] = []
  const noted = async (what: string, outcome: Promise<{ readonly status: number } | { readonly state: string }>) => {
    const done = await outcome
    over.push(`${what} ${'status' in done ? done.status : done.state}`)
  }
  const answer = (user: TestUser, id: string | undefined) =>
    ground.server.as(user).post(`/records/${id}/responses`, {
      status: 'submitted',
      values: { label: { value: 'b' }, stars: { value: 2 } },
    })
  await sql.query('begin')
  await sql.query('select seq from records where id = $1 for update', [one])
  const asked = [noted('first answer', answer(ground.ann, one))]
  try {
    await waiting(1)
    asked.push(noted('recount', count()))
    await waiting(2)
    const second = noted('second answer', answer(ground.bob, other))
    asked.push(second)
    await Promise.race([second, waiting(3)])
    expect(over).toEqual([])
  } finally {
    await sql.query('rollback')
    await Promise.all([...asked, sql.end(), watch.end()])
  }
  expect([...over].sort()).toEqual(['first answer 201', 'recount finished', 'second answer 201'])
  expect(await ground.differences()).toEqual([])
})
