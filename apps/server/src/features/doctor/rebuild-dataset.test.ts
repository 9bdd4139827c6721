import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ground } from '#features/records/testing/boot.ts'
import { bootGround, must } from '#features/records/testing/boot.ts'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import { datasetNoOf } from '#platform/ids.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { rebuildDataset } from './rebuild-dataset.ts'
import { patients, rebuild } from './service.ts'
import { allWays, spoil } from './testing/operations.ts'

const HOLD = 60_000_000
/** So many that the job takes several steps. */
const BULKS = 10
const IN_BULK = 500

let ground: Ground
let tool: Store
beforeAll(async () => {
  // The test itself carries out the jobs.
  ground = await bootGround({}, { background: { pollMs: 3_600_000 } })
  const { dataDir, databaseUrl } = ground.server.app.ctx.config
  const operations = new URL('./testing/operations.ts', import.meta.url).href
  tool = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
})
afterAll(async () => {
  await tool.close()
  await ground.close()
})

const fill = async (): Promise<string[]> => {
  const ids: string[] = []
  for (let bulk = 0; bulk < BULKS; bulk++) {
    const items = Array.from({ length: IN_BULK }, (_, i) => ({
      fields: { text: `word${i}` },
      metadata: { lang: 'en', size: i % 100 },
      suggestions: [{ question_id: ground.questions.label, value: 'a', agent: 'model' }],
    }))
    ids.push(...must(await ground.post(items)).items.map(({ id }) => id))
  }
  return ids
}

const takeJob = async () => (await tool.write(takeJobs, { kinds: [rebuildDataset.kind], limit: 1, hold: HOLD }))[0]

it('is exact for what people answer, write and delete between its steps', async () => {
  const ids = await fill()
  for (const way of allWays.filter((one) => one !== 'next')) {
    await tool.write(spoil, { dataset_no: datasetNoOf(ids[0] ?? ''), way })
  }
  const [patient] = await patients(ground.server.app.ctx)
  if (patient === undefined) throw new Error('there is no dataset')
  await rebuild(ground.server.app.ctx, patient)
  const [ann, admin] = [ground.server.as(ground.ann), ground.server.as(ground.admin)]
  let steps = 0
  const work = (i: number): Promise<{ status: number }>[] => {
    // From both ends: what the job has met, and what it has not.
    const [early, late] = [ids[3 * i], ids[ids.length - 1 - 3 * i]]
    const answer = { status: 'submitted', values: { label: { value: 'b' }, stars: { value: 2 } } }
    return [
      ann.post(`/records/${early}/responses`, answer),
      ann.post(`/records/${late}/responses`, answer),
      admin.patch(`/records/${ids[3 * i + 1]}`, { metadata: { lang: 'de', size: 7 } }),
      admin.delete(`/records/${ids[ids.length - 3 - 3 * i]}`),
      ground.post([{ fields: { text: 'new' }, metadata: { lang: 'de' } }]),
    ]
  }
  for (let job = await takeJob(); job !== undefined; steps++) {
    const held = { id: job.id, until: job.until }
    const [result, ...done] = await Promise.all([tool.write(rebuildDataset.step, { ...held, hold: HOLD }), ...work(steps)])
    expect(done.map(({ status }) => status < 300)).toEqual([true, true, true, true, true])
    job = result.state === 'started' ? { ...job, until: result.until } : undefined
  }
  expect(steps).toBeGreaterThan(3)
  expect(await ground.differences()).toEqual([])
})
