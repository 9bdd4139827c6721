import type { Response } from '@postil/contract/responses.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ResponsesServer } from '../testing/boot.ts'
import { bootWithTool } from '../testing/boot.ts'
import { forceDistribution, insertWebhook, removeRecords, rowsOf, storeInside } from '../testing/operations.ts'
import { recountResponses } from './recount.ts'

let server: ResponsesServer
let workspace: string
let dataset: string
let ann: TestUser
let bob: TestUser
let records: string[]

beforeAll(async () => {
  server = await bootWithTool()
  workspace = (await server.createWorkspace()).id
})
afterAll(() => server.close())

beforeEach(async () => {
  ann = await server.createUser({ workspaces: [workspace] })
  bob = await server.createUser({ workspaces: [workspace] })
  dataset = (await server.createDataset({ workspace_id: workspace, distribution: { strategy: 'overlap', min_submitted: 2 } })).id
  records = await server.addRecords(dataset, 4)
})

const submitted = (value = 'yes') => ({ status: 'submitted', values: { label: { value } } }) as const
const answer = (user: TestUser, record: string, body: object = submitted()) =>
  server.clientFor(user).post<Response>(`/records/${record}/responses`, body)
const differences = async () => server.app.ctx.store.read(recountResponses, {})
const statuses = async () => {
  const rows = await server.tool.read(rowsOf, { table: 'records' })
  return records.map((id) => rows.find((row) => row.id === id)?.status)
}
const rowsOfDataset = async (table: 'response_tombstones' | 'history' | 'response_terms' | 'responses') =>
  (await server.tool.read(rowsOf, { table })).filter((row) =>
    records.includes(String(row.record_id ?? (row.image as Response | undefined)?.record_id)),
  )
const progressUsers = async (path: 'progress' | 'users/progress') =>
  (await server.clientFor(server.owner).get<{ users: { username: string }[] }>(`/datasets/${dataset}/${path}`)).body.users.map(
    ({ username }) => username,
  )

describe('deleting a user', () => {
  it('removes the answers, and makes records that lack them pending again', async () => {
    for (const record of records.slice(0, 3)) await answer(ann, record)
    for (const record of records.slice(1)) await answer(bob, record)
    expect(await statuses()).toEqual(['pending', 'completed', 'completed', 'pending'])
    await server.clientFor(server.owner).delete(`/users/${ann.id}`)
    expect(await statuses()).toEqual(['pending', 'pending', 'pending', 'pending'])
    expect((await rowsOfDataset('responses')).map(({ user_id }) => user_id)).toEqual([bob.id, bob.id, bob.id])
    expect(await rowsOfDataset('response_tombstones')).toHaveLength(3)
    expect(await progressUsers('progress')).toEqual([bob.username])
    expect(await progressUsers('users/progress')).toEqual([bob.username])
    expect(await differences()).toEqual([])
  })

  it('continues in the background if there are too many rows', async () => {
    records = await server.addRecords(dataset, 1_500)
    for (let from = 0; from < records.length; from += 500) {
      const items = records.slice(from, from + 500).map((id) => ({ id, responses: [{ user_id: ann.id, ...submitted() }] }))
      await server.tool.write(storeInside, { dataset_id: dataset, actor: ann.id, items })
    }
    await server.clientFor(server.owner).delete(`/users/${ann.id}`)
    const left = async () =>
      (await server.tool.read(rowsOf, { table: 'responses' })).filter(({ user_id }) => user_id === ann.id).length
    expect(await left()).toBeGreaterThan(0)
    await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 40_000, interval: 200 })
    await vi.waitFor(async () => expect(await differences()).toEqual([]), { timeout: 5_000, interval: 100 })
  }, 60_000)
})

describe('answers within records', () => {
  const store = (items: Parameters<typeof storeInside.run>[1]['items']) =>
    server.tool.write(storeInside, { dataset_id: dataset, actor: server.owner.id, items })
  const inside = (
    id: string,
    ...responses: { user_id: string; status: 'draft' | 'submitted' | 'discarded'; values?: object | null }[]
  ) => ({ id, responses }) as Parameters<typeof storeInside.run>[1]['items'][number]

  it('are merged per user, and update statuses and counters', async () => {
    const [first = '', second = ''] = records
    const own = await answer(ann, first, { status: 'draft', values: {} })
    const settled = await store([
      inside(first, { user_id: ann.id, ...submitted('no') }, { user_id: bob.id, ...submitted() }),
      inside(second, { user_id: bob.id, status: 'discarded', values: null }),
    ])
    expect(settled).toMatchObject([
      { status: 'completed', submitted: 2, updated_at: expect.any(Number) },
      { status: 'pending', submitted: 0, updated_at: null },
    ])
    expect(await statuses()).toEqual(['completed', 'pending', 'pending', 'pending'])
    const stored = (await server.tool.read(rowsOf, { table: 'responses' })).find(({ id }) => id === own.body.id)
    expect(stored).toMatchObject({ status: 'submitted', values: { label: { value: 'no' } }, version: 2 })
    expect(await progressUsers('progress')).toEqual([ann.username, bob.username])
    expect(await differences()).toEqual([])
  })

  it('are applied in order for a record that occurs twice', async () => {
    const [first = ''] = records
    await store([
      inside(first, { user_id: ann.id, ...submitted('yes') }, { user_id: bob.id, ...submitted() }),
      inside(first, { user_id: ann.id, status: 'draft', values: { label: { value: 'no' } } }),
    ])
    expect(await statuses()).toEqual(['pending', 'pending', 'pending', 'pending'])
    const own = (await server.tool.read(rowsOf, { table: 'responses' })).find(
      (row) => row.record_id === first && row.user_id === ann.id,
    )
    expect(own).toMatchObject({ status: 'draft', values: { label: { value: 'no' } }, version: 2 })
    expect(await differences()).toEqual([])
  })

  it('are all rejected for an unknown user or an invalid value, with its position', async () => {
    const [first = '', second = ''] = records
    const good = inside(first, { user_id: ann.id, ...submitted() })
    for (const wrong of [
      { user_id: crypto.randomUUID(), ...submitted() },
      { user_id: ann.id, ...submitted('maybe') },
    ]) {
      await expect(store([good, inside(second, wrong)])).rejects.toThrow('position 1')
    }
    expect(await rowsOfDataset('responses')).toEqual([])
  })
})

describe('removing records', () => {
  it('removes their answers, and leaves tombstones and history images', async () => {
    const [first = '', second = ''] = records
    await answer(ann, first)
    await answer(bob, first)
    await answer(ann, second, { status: 'draft' })
    await server.tool.write(removeRecords, { ids: [first, second], actor: server.owner.id })
    expect(await rowsOfDataset('responses')).toEqual([])
    expect(await rowsOfDataset('response_tombstones')).toHaveLength(3)
    expect(await rowsOfDataset('history')).toHaveLength(3)
    expect(await differences()).toEqual([])
  })
})

describe('changing the distribution', () => {
  it('updates statuses in the background, and emits the events for changed records once', async () => {
    const hook = crypto.randomUUID()
    await server.tool.write(insertWebhook, { id: hook, events: ['record.updated', 'record.completed'] })
    const [first = '', second = ''] = records
    await answer(ann, first)
    await answer(bob, first)
    await answer(ann, second)
    const countEvents = async () =>
      (await server.tool.read(rowsOf, { table: 'outbox' }))
        .filter((row) => row.webhook_id === hook && row.subject_id === second)
        .map(({ event }) => event)
    expect(await countEvents()).toEqual(['record.updated'])
    await server.tool.write(forceDistribution, { dataset_id: dataset, min_submitted: 1 })
    await vi.waitFor(async () => expect(await statuses()).toEqual(['completed', 'completed', 'pending', 'pending']), {
      timeout: 10_000,
    })
    expect(await countEvents()).toEqual(['record.updated', 'record.updated', 'record.completed'])
    expect(await differences()).toEqual([])
  })
})
