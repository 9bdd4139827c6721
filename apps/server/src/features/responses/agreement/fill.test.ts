import type { Dataset } from '@postil/contract/datasets.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { releaseAll } from '#features/jobs/testing/operations.ts'
import { recount } from '#features/records/service.ts'
import { addRecords, must, search } from '#features/search/testing/searching.ts'
import { datasetNoOf } from '#platform/ids.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { forgetAgreement } from '../testing/operations.ts'
import { fillAgreement, resumeAgreementFills } from './fill.ts'

const HOLD = 60_000_000
/** A number of records for which the job needs several steps, even on a fast machine. */
const COUNT = 1200
const BULK = 400

let idleServer: IdleServer
beforeAll(async () => {
  idleServer = await bootIdleServer(new URL('../../jobs/testing/operations.ts', import.meta.url))
})
afterAll(() => idleServer.close())

const no = { label: { value: 'no' } }
const label = { entity: 'record', property: 'agreement', question: 'label' }
const disagreed = { filters: { and: [{ type: 'range', scope: label, le: 0.5 }] } }

it('is filled in after an upgrade, in steps that continue after a crash, while answers change', async () => {
  const { server, tool } = idleServer
  const owner = server.clientFor(server.owner)
  const dataset: Dataset = await server.createDataset({ distribution: { strategy: 'overlap', min_submitted: 3 } })
  const newUser = () => server.createUser({ workspaces: [dataset.workspace_id] })
  const [ann, bob, cyd] = [await newUser(), await newUser(), await newUser()]
  const submitted = (user: typeof ann, value: string) => ({ user_id: user.id, status: 'submitted', values: { label: { value } } })
  const items = Array.from({ length: COUNT }, (_, i) => ({
    fields: { text: `text ${i}` },
    responses: [submitted(ann, 'yes'), submitted(bob, i % 4 === 0 ? 'no' : 'yes')],
  }))
  const ids: string[] = []
  for (let start = 0; start < COUNT; start += BULK)
    ids.push(...(await addRecords(owner, dataset, items.slice(start, start + BULK))))
  const dataset_no = datasetNoOf(ids[0] ?? '')
  expect((await search(owner, dataset, disagreed)).total).toBe(COUNT / 4)
  // Restores the state that a dataset has after migration 0037
  await tool.write(forgetAgreement, { dataset_no })
  expect(await recount(server.app.ctx, dataset_no)).toEqual([])
  const path = `/datasets/${dataset.id}`
  for (const answer of [
    await owner.post<{ detail: string }>(`${path}/records/search`, disagreed),
    await owner.put<{ detail: string }>(`${path}/queue-settings`, { order: [{ scope: label, order: 'asc' }] }),
  ]) {
    expect(answer).toMatchObject({ status: 422, body: { detail: expect.stringContaining('still being calculated') } })
  }
  await resumeAgreementFills(server.app.ctx)
  await resumeAgreementFills(server.app.ctx)
  const changed = new Set<number>()
  for (;;) {
    const [job] = await tool.write(takeJobs, { kinds: [fillAgreement.kind], limit: 2, hold: HOLD })
    if (job === undefined) break
    const result = await tool.write(fillAgreement.step, { id: job.id, until: job.until, hold: HOLD, isGentle: true })
    // Records from both ends: one that the job has filled in and one that it hasn't
    for (const i of [changed.size / 2, COUNT - 1 - changed.size / 2]) {
      must(await server.clientFor(cyd).post(`/records/${ids[i]}/responses`, { status: 'submitted', values: no }))
      changed.add(i)
    }
    expect(await recount(server.app.ctx, dataset_no)).toEqual([])
    if (result.state === 'finished') break
    // The process that holds the job dies.
    await tool.write(releaseAll, {})
  }
  expect(changed.size).toBeGreaterThan(2)
  const others = [...changed].filter((i) => i % 4 !== 0).length
  expect((await search(owner, dataset, disagreed)).total).toBe(COUNT / 4 + others)
  await resumeAgreementFills(server.app.ctx)
  expect(await tool.write(takeJobs, { kinds: [fillAgreement.kind], limit: 1, hold: HOLD })).toEqual([])
  expect(await recount(server.app.ctx, dataset_no)).toEqual([])
})
