import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Fixture } from '#features/records/testing/boot.ts'
import { bootFixture, must } from '#features/records/testing/boot.ts'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import { datasetNoOf } from '#platform/ids.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { markForRebuild, rebuildDataset } from './rebuild-dataset.ts'
import { datasetsToCheck } from './service.ts'
import { allCorruptions, corrupt } from './testing/operations.ts'

const HOLD = 60_000_000
/** Enough records for several steps of the job, even if each step has the minimum length. */
const RECORDS = 300
const STEPS_WITH_NEW_RECORDS = 8

let fixture: Fixture
let tool: Store
beforeAll(async () => {
  // The test runs the jobs itself.
  fixture = await bootFixture({}, { background: { pollMs: 3_600_000 } })
  const { dataDir, databaseUrl } = fixture.server.app.ctx.config
  const operations = new URL('./testing/operations.ts', import.meta.url).href
  tool = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
})
afterAll(async () => {
  await tool.close()
  await fixture.close()
})

const addRecords = async (): Promise<string[]> => {
  const items = Array.from({ length: RECORDS }, (_, i) => ({
    fields: { text: `word${i}` },
    metadata: { lang: 'en', size: i % 100 },
    suggestions: [{ question_id: fixture.questions.label, value: 'a', agent: 'model' }],
  }))
  return must(await fixture.post(items)).items.map(({ id }) => id)
}

const takeJob = async () => (await tool.write(takeJobs, { kinds: [rebuildDataset.kind], limit: 1, hold: HOLD }))[0]

it('stays exact while people answer, write and delete between its steps', async () => {
  const ids = await addRecords()
  // The dataset has no final answers.
  for (const way of allCorruptions.filter((one) => one !== 'next' && one !== 'gold')) {
    await tool.write(corrupt, { dataset_no: datasetNoOf(ids[0] ?? ''), way })
  }
  const [dataset] = await datasetsToCheck(fixture.server.app.ctx)
  if (dataset === undefined) throw new Error('there is no dataset')
  await fixture.server.app.ctx.store.write(markForRebuild, { dataset_no: dataset.no })
  const [ann, admin] = [fixture.server.clientFor(fixture.ann), fixture.server.clientFor(fixture.admin)]
  let steps = 0
  const work = (i: number): Promise<{ status: number; body: unknown }>[] => {
    // Records from both ends: some that the job has processed and some that it hasn't.
    const [early, late] = [ids[3 * i], ids[ids.length - 1 - 3 * i]]
    const answer = { status: 'submitted', values: { label: { value: 'b' }, stars: { value: 2 } } }
    return [
      ann.post(`/records/${early}/responses`, answer),
      ann.post(`/records/${late}/responses`, answer),
      admin.patch(`/records/${ids[3 * i + 1]}`, { metadata: { lang: 'de', size: 7 } }),
      admin.delete(`/records/${ids[ids.length - 3 - 3 * i]}`),
      // A record that is added during a step makes the job take another step.
      ...(i < STEPS_WITH_NEW_RECORDS ? [fixture.post([{ fields: { text: 'new' }, metadata: { lang: 'de' } }])] : []),
    ]
  }
  for (let job = await takeJob(); job !== undefined; steps++) {
    const jobKey = { id: job.id, until: job.until }
    const [result, ...done] = await Promise.all([
      tool.write(rebuildDataset.step, { ...jobKey, hold: HOLD, isGentle: true }),
      ...work(steps),
    ])
    expect({ steps, failed: done.filter(({ status }) => status >= 300) }).toEqual({ steps, failed: [] })
    job = result.state === 'started' ? { ...job, until: result.until } : undefined
  }
  expect(steps).toBeGreaterThan(3)
  expect(await fixture.differences()).toEqual([])
})
