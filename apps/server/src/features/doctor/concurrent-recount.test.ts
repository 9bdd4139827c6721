import type { TestUser } from '@postil/testkit/factories.ts'
import { runWhileRecordLocked } from '@postil/testkit/locked-record.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Fixture } from '#features/records/testing/boot.ts'
import { bootFixture, must } from '#features/records/testing/boot.ts'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { markForRebuild, rebuildDataset } from './rebuild-dataset.ts'
import { datasetsToCheck } from './service.ts'

// Runs only on PostgreSQL, because the embedded database has a single writer that never blocks for long
const onPostgres = it.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')
const HOLD = 60_000_000

let fixture: Fixture
let tool: Store
beforeAll(async () => {
  // The test runs the jobs itself.
  fixture = await bootFixture({}, { background: { pollMs: 3_600_000 } })
  const { dataDir, databaseUrl } = fixture.server.app.ctx.config
  const operations = new URL('../../operations.ts', import.meta.url).href
  tool = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
})
afterAll(async () => {
  await tool.close()
  await fixture.close()
})

/** Runs the rebuild job up to its last step. @returns a function that runs the last step */
const untilCounting = async (sql: pg.Client) => {
  const [dataset] = await datasetsToCheck(fixture.server.app.ctx)
  if (dataset === undefined) throw new Error('there is no dataset')
  await fixture.server.app.ctx.store.write(markForRebuild, { dataset_no: dataset.no })
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

onPostgres('a recount waits for answers that are being stored, but not for later ones', async () => {
  const { items } = must(await fixture.post([{ fields: { text: 'one' } }, { fields: { text: 'two' } }]))
  const [one, other] = items.map(({ id }) => id)
  const connectionString = fixture.server.app.ctx.config.databaseUrl
  const sql = new pg.Client({ connectionString })
  await sql.connect()
  const count = await untilCounting(sql)
  await sql.end()
  const answer = (user: TestUser, id: string | undefined) =>
    fixture.server.clientFor(user).post(`/records/${id}/responses`, {
      status: 'submitted',
      values: { label: { value: 'b' }, stars: { value: 2 } },
    })
  const ended = await runWhileRecordLocked(connectionString, one, [
    ['first answer', () => answer(fixture.ann, one)],
    ['recount', count],
    ['second answer', () => answer(fixture.bob, other)],
  ])
  expect(ended).toEqual(['first answer 201', 'recount finished', 'second answer 201'])
  expect(await fixture.differences()).toEqual([])
})
