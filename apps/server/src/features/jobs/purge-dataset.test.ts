import type { Dataset } from '@postil/contract/datasets.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { rowsOf } from '#features/responses/testing/operations.ts'
import { findJob, takeJobs } from '#platform/jobs/operations.ts'
import { purgeDataset } from './purge-dataset.ts'
import { bootIdleServer, type IdleServer } from './testing/idle-server.ts'
import { releaseAll } from './testing/operations.ts'

const HOLD = 60_000_000

/** Number of records. A single step with `isGentle` can't purge all of them. */
const COUNT = 400

let idleServer: IdleServer
beforeAll(async () => {
  idleServer = await bootIdleServer(new URL('./testing/operations.ts', import.meta.url))
})
afterAll(() => idleServer.close())

/**
 * Takes the job. Retries, because jobs become due by the clock of the thread that created them, which may be slightly ahead.
 */
const take = () =>
  vi.waitFor(
    async () => {
      const [job] = await idleServer.tool.write(takeJobs, { kinds: [purgeDataset.kind], limit: 1, hold: HOLD })
      if (job === undefined) throw new Error('there is no job')
      return job
    },
    { timeout: 30_000 },
  )
const step = ({ id, until }: { readonly id: string; readonly until: number }, isIndexGone = true) =>
  idleServer.tool.write(purgeDataset.step, { id, until, hold: HOLD, isGentle: true, input: { isIndexGone } })
const seqsIn = async (table: 'records' | 'record_terms' | 'history', no: number) =>
  (await idleServer.tool.read(rowsOf, { table })).filter((row) => row.dataset_no === no).map(({ seq }) => Number(seq))

const make = async (): Promise<{ readonly dataset: Dataset; readonly no: number }> => {
  const { server, tool } = idleServer
  const owner = server.clientFor(server.owner)
  const dataset = await server.createDataset({ metadata_properties: [{ name: 'topic', settings: { type: 'terms' } }] })
  const items = Array.from({ length: COUNT }, (_, i) => ({ fields: { text: `word${i}` }, metadata: { topic: `t${i % 7}` } }))
  const { body } = await owner.post<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records/bulk`, { items })
  for (const at of [0, COUNT / 2, COUNT - 1]) {
    expect((await owner.delete(`/records/${body.items[at]?.id}`)).status).toBe(200)
  }
  const row = (await tool.read(rowsOf, { table: 'datasets' })).find(({ id }) => id === dataset.id)
  return { dataset, no: Number(row?.no) }
}

describe('the rows of a deleted dataset', () => {
  it('stay tracked until the vector index is deleted', async () => {
    const { dataset, no } = await make()
    await idleServer.server.clientFor(idleServer.server.owner).delete(`/datasets/${dataset.id}`)
    let held = await take()
    const steps = async (times: number, isIndexGone: boolean): Promise<string> => {
      const outcome = await step(held, isIndexGone)
      if (outcome.state === 'started') held = { ...held, until: outcome.until }
      return outcome.state === 'started' && times > 1 ? steps(times - 1, isIndexGone) : outcome.state
    }
    while ((await seqsIn('history', no)).length > 0) expect(await steps(10, false)).toBe('started')
    expect(await steps(50, false)).toBe('started')
    expect(await steps(50, true)).toBe('finished')
  })

  it('are deleted to the last one, resuming where a killed process stopped', async () => {
    const [doomed, remaining] = [await make(), await make()]
    const before = await seqsIn('record_terms', remaining.no)
    await idleServer.server.clientFor(idleServer.server.owner).delete(`/datasets/${doomed.dataset.id}`)
    const lost = await take()
    const first = await step(lost)
    if (first.state !== 'started') throw new Error(`the first step has ${first.state}`)
    const left = await seqsIn('records', doomed.no)
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThan(COUNT - 3)
    // Before the position that the job has reached, no rows are left, not even those of records that were deleted earlier.
    const reached = Math.min(...left)
    expect((await seqsIn('history', doomed.no)).filter((seq) => seq < reached)).toEqual([])

    await idleServer.tool.write(releaseAll, {})
    let held = await take()
    expect(await step({ ...lost, until: first.until })).toEqual({ state: 'lost' })
    for (;;) {
      const outcome = await step(held)
      if (outcome.state !== 'started') {
        expect(outcome.state).toBe('finished')
        break
      }
      held = { ...held, until: outcome.until }
    }
    expect(await idleServer.tool.read(findJob, { id: held.id })).toMatchObject({ state: 'finished', done: COUNT - 3 })
    for (const table of ['records', 'record_terms', 'history'] as const) expect(await seqsIn(table, doomed.no)).toEqual([])
    expect(await seqsIn('record_terms', remaining.no)).toEqual(before)
  })
})
