import { setTimeout as pause } from 'node:timers/promises'
import type { ModelConnection } from '@postil/contract/model-connections.ts'
import type { ModelRun, ModelRunItem } from '@postil/contract/model-runs.ts'
import { createClient } from '@postil/testkit/client.ts'
import { type StandInModel, startStandInModel } from '@postil/testkit/stand-in-model.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serverPerTest } from '#harness/server-per-test.ts'
import { owner, seedDataset } from './fixtures.ts'
import { findDifferences } from './inspect.ts'

const RECORDS = 300
const CONCURRENCY = 8
/** How long the run may continue between two kills, in milliseconds. */
const runningTimes = [300, 500, 800]

const target = serverPerTest({ env: { POSTIL_MODELS_ALLOW_PRIVATE: 'true' } })
const client = () => createClient(target.server.url, owner)
const must = async <T>(answer: Promise<{ readonly status: number; readonly body: T }>): Promise<T> => {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

let model: StandInModel
beforeAll(async () => {
  model = await startStandInModel()
})
afterAll(() => model.close())

const itemsOf = async (id: string): Promise<readonly ModelRunItem[]> => {
  const all: ModelRunItem[] = []
  for (;;) {
    const { items } = await must(
      client().get<{ items: ModelRunItem[] }>(`/model-runs/${id}/items?limit=500&offset=${all.length}`),
    )
    all.push(...items)
    if (items.length < 500) return all
  }
}

it('a model run continues after kill -9, and never asks again about records whose answers are stored', async () => {
  const { dataset, workspace } = await seedDataset(target.server, 0)
  const items = Array.from({ length: RECORDS }, (_, i) => ({ fields: { text: `record #${i}# says yes [[late]]` } }))
  const made = await must(client().post<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records/bulk`, { items }))
  const numberOf = new Map(made.items.map(({ id }, i) => [id, i]))
  const connection = await must(
    client().post<ModelConnection>(`/workspaces/${workspace.id}/model-connections`, {
      name: 'stand-in',
      base_url: model.url,
      model: 'small',
      concurrency: CONCURRENCY,
    }),
  )
  const body = { connection_id: connection.id, name: 'judge', questions: ['label'] }
  const { id } = await must(client().post<ModelRun>(`/datasets/${dataset.id}/model-runs`, body))
  /** How often the model was asked about each record. */
  const asked = (): ReadonlyMap<number, number> => {
    const counts = new Map<number, number>()
    for (const { record } of model.asked) {
      const i = Number(/#(\d+)#/.exec(record)?.[1])
      counts.set(i, (counts.get(i) ?? 0) + 1)
    }
    return counts
  }
  let interrupted = 0
  for (const time of runningTimes) {
    const before = model.asked.length
    await expect.poll(() => model.asked.length, { timeout: 60_000 }).toBeGreaterThan(before)
    await pause(time)
    await target.server.kill()
    await target.restart()
    const stored = (await itemsOf(id)).map(({ record_id }) => numberOf.get(record_id) ?? -1)
    if (stored.length < RECORDS && stored.length > 0) interrupted += 1
    const counts = asked()
    if (stored.length === RECORDS) break
    const total = model.asked.length
    await expect.poll(() => model.asked.length, { timeout: 60_000 }).toBeGreaterThan(total)
    for (const i of stored) expect(asked().get(i), String(i)).toBe(counts.get(i))
  }
  expect(interrupted).toBeGreaterThan(0)
  const ended = async () => (await must(client().get<ModelRun>(`/model-runs/${id}`))).state
  await expect.poll(ended, { timeout: 110_000 }).toBe('finished')
  expect(await must(client().get<ModelRun>(`/model-runs/${id}`))).toMatchObject({ answered: RECORDS, failed: 0 })
  const all = await itemsOf(id)
  expect(new Set(all.map(({ record_id }) => record_id)).size).toBe(RECORDS)
  // The model is asked twice only about records whose request was in progress, or whose answer was being stored, during a kill.
  const repeated = [...asked().values()].reduce((sum, count) => sum + count - 1, 0)
  expect(repeated).toBeLessThanOrEqual(runningTimes.length * 2 * CONCURRENCY)
  expect(await findDifferences(target.place)).toEqual([])
})
