import type { Dataset } from '@postil/contract/datasets.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ResponsesServer } from '#features/responses/testing/boot.ts'
import { bootWithTool } from '#features/responses/testing/boot.ts'
import { insertWebhook, rowsOf } from '#features/responses/testing/operations.ts'
import { newId } from '#platform/ids.ts'
import { startBackground } from '#platform/jobs/background.ts'

let server: ResponsesServer
let owner: Client

beforeAll(async () => {
  server = await bootWithTool()
  owner = server.clientFor(server.owner)
})
afterAll(() => server.close())

const answer = async (dataset: Dataset) => {
  const [record] = await server.addRecords(dataset.id, 1)
  return (await owner.post<Response>(`/records/${record}/responses`, { status: 'draft', values: {} })).body
}

test('the distribution can’t change while there are answers', async () => {
  const dataset = await server.createDataset()
  const url = `/datasets/${dataset.id}`
  const response = await answer(dataset)
  const distribution = { strategy: 'overlap', min_submitted: 2 }
  expect(await owner.patch(url, { distribution, name: 'not changed either' })).toMatchObject({
    status: 422,
    body: { code: 'update_distribution_with_existing_responses', message: expect.any(String) },
  })
  expect((await owner.get<Dataset>(url)).body.name).toBe(dataset.name)
  expect(await owner.patch(url, { distribution: dataset.distribution, guidelines: 'changed' })).toMatchObject({
    status: 200,
    body: { guidelines: 'changed', distribution: dataset.distribution },
  })
  await owner.delete(`/responses/${response.id}`)
  expect(await owner.patch(url, { distribution })).toMatchObject({ status: 200, body: { distribution } })
})

test('an answer updates the activity time, but not the dataset’s updated_at', async () => {
  const dataset = await server.createDataset()
  await answer(dataset)
  const { body } = await owner.get<Dataset>(`/datasets/${dataset.id}`)
  expect(body.last_activity_at > dataset.last_activity_at).toBe(true)
  expect({ ...body, last_activity_at: dataset.last_activity_at }).toEqual(dataset)
  const list = (await owner.get<{ items: Dataset[] }>(`/me/datasets?name=${dataset.name}`)).body.items
  expect(list).toEqual([body])
})

test('events describe each change, and the last one contains the deleted dataset', async () => {
  const events = ['created', 'updated', 'published', 'deleted'].map((what) => `dataset.${what}`)
  await server.tool.write(insertWebhook, { id: newId(), events })
  const dataset = await server.createDataset({ publish: false })
  const url = `/datasets/${dataset.id}`
  await owner.patch(url, {})
  await owner.put(`${url}/publish`)
  await owner.put(`${url}/publish`)
  await owner.delete(url)
  const rows = (await server.tool.read(rowsOf, { table: 'outbox' })).filter(({ subject_id }) => subject_id === dataset.id)
  const sorted = rows.toSorted((a, b) => Number(a.at) - Number(b.at))
  expect(sorted.map(({ event }) => event)).toEqual(events)
  const payloads = sorted.map(({ payload }) => payload as { status: string; fields: unknown[]; workspace: { id: string } })
  expect(payloads.map(({ status, fields }) => [status, fields.length])).toEqual([
    ['draft', 0],
    ['draft', 1],
    ['ready', 1],
    ['ready', 1],
  ])
  expect(payloads[0]).toMatchObject({ id: dataset.id, workspace: { id: dataset.workspace_id } })
})

test('rows of a deleted dataset are removed in the background, those of others stay', async () => {
  const [doomed, remaining] = [await server.createDataset(), await server.createDataset()]
  for (const dataset of [doomed, remaining]) {
    await server.addRecords(dataset.id, 50)
    await answer(dataset)
  }
  const numbers = new Map((await server.tool.read(rowsOf, { table: 'datasets' })).map(({ id, no }) => [id, no]))
  const rows = async (dataset: Dataset) => {
    const tables = ['records', 'responses', 'dataset_state', 'dataset_counts', 'user_counts', 'dataset_users'] as const
    const all = await Promise.all(tables.map((table) => server.tool.read(rowsOf, { table })))
    return all.map((list) => list.filter(({ dataset_no }) => dataset_no === numbers.get(dataset.id)).length)
  }
  const before = await rows(remaining)
  expect(before.every((count) => count > 0)).toBe(true)
  await owner.delete(`/datasets/${doomed.id}`)
  const background = startBackground({ ...server.app.ctx, store: server.tool }, { pollMs: 20 })
  await vi.waitFor(async () => expect(await rows(doomed)).toEqual(before.map(() => 0)), { timeout: 10_000, interval: 100 })
  await background.stop()
  expect(await rows(remaining)).toEqual(before)
  const left = await server.tool.read(rowsOf, { table: 'fields' })
  expect(left.filter(({ dataset_id }) => dataset_id === doomed.id)).toEqual([])
})
