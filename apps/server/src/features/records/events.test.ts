import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { insertWebhook, rowsOf } from '#features/responses/testing/operations.ts'
import type { Fixture } from './testing/boot.ts'
import { bootFixture, must } from './testing/boot.ts'

let fixture: Fixture
let seen: number
type Payload = { id: string; status: string; fields: object; dataset: { id: string }; updated_at: string }
type EmittedEvent = { event: string; subject_id: string; dataset_no: number; payload: Payload; state: string }

const outbox = async () => {
  const rows = (await fixture.tool.read(rowsOf, { table: 'outbox' })) as unknown as (EmittedEvent & { id: string })[]
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
}
/** Events since the test started. */
const newEvents = async (): Promise<EmittedEvent[]> => (await outbox()).slice(seen)
const names = async () => (await newEvents()).map(({ event, payload }) => [event, payload.id])

beforeAll(async () => {
  fixture = await bootFixture()
  const events = ['record.created', 'record.updated', 'record.deleted', 'record.completed', 'response.created']
  await fixture.tool.write(insertWebhook, { id: '00000000-0000-7000-8000-00000000beef', events })
})
afterAll(() => fixture.close())
beforeEach(async () => {
  seen = (await outbox()).length
})

const as = () => fixture.server.clientFor(fixture.admin)

test('a bulk request emits an event per record for its actual change, in order, with its final state', async () => {
  const values = { label: { value: 'a' } }
  const responses = [{ user_id: fixture.ann.id, status: 'submitted', values }]
  const created = must(
    await fixture.post([
      { fields: { text: 'one' }, external_id: 'one', responses },
      { fields: { text: 'two' }, external_id: 'two' },
    ]),
  ).items
  const [one, two] = created.map(({ id }) => id)
  expect(await names()).toEqual([
    ['record.created', one],
    ['record.created', two],
  ])
  const [first] = (await newEvents()) as [EmittedEvent]
  const { responses: _r, suggestions: _s, vectors: _v, dataset_id, ...record } = created[0] as (typeof created)[0]
  expect(first).toMatchObject({ subject_id: one, state: 'waiting' })
  const { dataset, ...data } = first.payload
  expect([data, dataset.id]).toEqual([record, dataset_id])
  seen += 2
  const [, three] = must(
    await fixture.put([
      { external_id: 'two', metadata: { size: 1 } },
      { fields: { text: 'three' }, responses },
      { external_id: 'one' },
      { id: two, metadata: { size: 2 } },
    ]),
  ).items
  expect(await names()).toEqual([
    ['record.updated', two],
    ['record.created', three?.id],
    ['record.updated', one],
    ['record.updated', two],
  ])
  const metadata = (await newEvents()).map(({ payload }) => (payload as unknown as { metadata: unknown }).metadata)
  expect(metadata).toEqual([{ size: 2 }, null, null, { size: 2 }])
})

test('a rejected request emits no events', async () => {
  expect((await fixture.post([{ fields: { text: 'x' } }, { fields: {} }])).status).toBe(422)
  expect(await names()).toEqual([])
})

test('an update emits an event unless it is empty, and separate suggestions emit none', async () => {
  const { id } = await fixture.make({})
  seen += 1
  await as().patch(`/records/${id}`, {})
  await as().put(`/records/${id}/suggestions`, { question_id: fixture.questions.label, value: 'a' })
  expect(await names()).toEqual([])
  await as().patch(`/records/${id}`, { metadata: { size: 1 } })
  expect(await names()).toEqual([['record.updated', id]])
})

test('deletions emit events with the previous state, oldest first', async () => {
  const made = must(await fixture.post([1, 2, 3].map((n) => ({ fields: { text: `t${n}` } })))).items.map(({ id }) => id)
  seen += 3
  await as().delete(`/datasets/${fixture.dataset}/records?ids=${made[2]},${made[0]}`)
  await as().delete(`/records/${made[1]}`)
  expect(await names()).toEqual([
    ['record.deleted', made[0]],
    ['record.deleted', made[2]],
    ['record.deleted', made[1]],
  ])
  expect((await newEvents())[0]?.payload.fields).toEqual({ text: 't1' })
})
