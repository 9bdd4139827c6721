import type { Response } from '@postil/contract/responses.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ResponsesServer } from './testing/boot.ts'
import { bootWithTool } from './testing/boot.ts'
import { insertWebhook, rowsOf } from './testing/operations.ts'

let server: ResponsesServer
let ann: TestUser
let dataset: string

beforeAll(async () => {
  server = await bootWithTool()
  const workspace = (await server.createWorkspace()).id
  ann = await server.createUser({ workspaces: [workspace] })
  dataset = (await server.createDataset({ workspace_id: workspace })).id
})
afterAll(() => server.close())

const outbox = async (record: string) =>
  (await server.tool.read(rowsOf, { table: 'outbox' }))
    .filter(({ subject_id }) => subject_id === record)
    .sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
const newRecord = async () => (await server.addRecords(dataset, 1))[0] as string
const submitted = { status: 'submitted', values: { label: { value: 'yes' } } }

it('writes no event without a subscribed webhook', async () => {
  const record = await newRecord()
  await server.clientFor(ann).post(`/records/${record}/responses`, submitted)
  expect(await outbox(record)).toEqual([])
})

it('writes events in order for every subscribed webhook, with record.completed each time a record is completed', async () => {
  const [all, some] = [crypto.randomUUID(), crypto.randomUUID()]
  await server.tool.write(insertWebhook, {
    id: all,
    events: ['record.updated', 'record.completed', 'response.created', 'response.updated', 'response.deleted'],
  })
  await server.tool.write(insertWebhook, { id: some, events: ['response.updated'] })
  const record = await newRecord()
  const { body } = await server.clientFor(ann).post<Response>(`/records/${record}/responses`, submitted)
  await server.clientFor(ann).put(`/responses/${body.id}`, submitted)
  await server.clientFor(ann).put(`/responses/${body.id}`, { status: 'draft' })
  await server.clientFor(ann).delete(`/responses/${body.id}`)
  await server.clientFor(ann).post('/me/responses/bulk', { items: [{ record_id: record, status: 'draft', values: {} }] })
  const events = await outbox(record)
  expect(events.filter(({ webhook_id }) => webhook_id === all).map(({ event }) => event)).toEqual([
    ...['record.updated', 'record.completed', 'response.created'],
    ...['record.updated', 'record.completed', 'response.updated'],
    ...['record.updated', 'response.updated'],
    ...['record.updated', 'response.deleted'],
    ...['record.updated', 'response.created'],
  ])
  expect(events.filter(({ webhook_id }) => webhook_id === some).map(({ event }) => event)).toEqual([
    'response.updated',
    'response.updated',
  ])
  expect(events.every(({ state, attempts }) => state === 'waiting' && attempts === 0)).toBe(true)
})

it('contains the answer with its record, dataset and author in webhook format', async () => {
  const record = await newRecord()
  const { body } = await server.clientFor(ann).post<Response>(`/records/${record}/responses`, submitted)
  const created = (await outbox(record)).find(({ event }) => event === 'response.created')
  const { record_id, user_id, version, ...own } = body
  const payload = created?.payload as { record: { dataset: object }; user: object }
  expect(payload).toMatchObject(own)
  expect(Object.keys(payload).sort()).toEqual([
    'id',
    'inserted_at',
    'record',
    'returned',
    'status',
    'suggestion_outcomes',
    'updated_at',
    'user',
    'values',
  ])
  expect(payload.user).toEqual({
    id: user_id,
    username: ann.username,
    first_name: ann.first_name,
    last_name: null,
    role: 'annotator',
    inserted_at: ann.inserted_at,
    updated_at: ann.updated_at,
  })
  expect(payload.record).toMatchObject({
    id: record_id,
    status: 'completed',
    fields: { text: 'text 0' },
    metadata: null,
    external_id: null,
  })
  const fromApi = (await server.clientFor(ann).get<{ last_activity_at: string }>(`/datasets/${dataset}`)).body
  expect(payload.record.dataset).toMatchObject({
    id: dataset,
    distribution: { strategy: 'overlap', min_submitted: 1 },
    last_activity_at: fromApi.last_activity_at,
    workspace: { name: expect.any(String) },
    questions: [{ name: 'label', required: true, description: null }],
    fields: [{ name: 'text' }],
    metadata_properties: [],
    vectors_settings: [],
  })
  expect(payload.record.dataset).not.toHaveProperty('metadata')
  expect(payload.record.dataset).not.toHaveProperty('workspace_id')
  expect(version).toBe(1)
})
