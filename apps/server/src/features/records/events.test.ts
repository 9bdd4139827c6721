import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { insertWebhook, rowsOf } from '#features/responses/testing/operations.ts'
import type { Ground } from './testing/boot.ts'
import { bootGround, must } from './testing/boot.ts'

let ground: Ground
let seen: number
type Payload = { id: string; status: string; fields: object; dataset: { id: string }; updated_at: string }
type Told = { event: string; subject_id: string; dataset_no: number; payload: Payload; state: string }

const outbox = async () => {
  const rows = (await ground.tool.read(rowsOf, { table: 'outbox' })) as unknown as (Told & { id: string })[]
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
}
/** Events since the test began. */
const told = async (): Promise<Told[]> => (await outbox()).slice(seen)
const names = async () => (await told()).map(({ event, payload }) => [event, payload.id])

beforeAll(async () => {
  ground = await bootGround()
  const events = ['record.created', 'record.updated', 'record.deleted', 'record.completed', 'response.created']
  await ground.tool.write(insertWebhook, { id: '00000000-0000-7000-8000-00000000beef', events })
})
afterAll(() => ground.close())
beforeEach(async () => {
  seen = (await outbox()).length
})

const as = () => ground.server.as(ground.admin)

test('a bulk tells of each record by what really happened, in order, with its final state', async () => {
  const values = { label: { value: 'a' } }
  const responses = [{ user_id: ground.ann.id, status: 'submitted', values }]
  const created = must(
    await ground.post([
      { fields: { text: 'one' }, external_id: 'one', responses },
      { fields: { text: 'two' }, external_id: 'two' },
    ]),
  ).items
  const [one, two] = created.map(({ id }) => id)
  expect(await names()).toEqual([
    ['record.created', one],
    ['record.created', two],
  ])
  const [first] = (await told()) as [Told]
  const { responses: _r, suggestions: _s, vectors: _v, dataset_id, ...record } = created[0] as (typeof created)[0]
  expect(first).toMatchObject({ subject_id: one, state: 'waiting' })
  const { dataset, ...data } = first.payload
  expect([data, dataset.id]).toEqual([record, dataset_id])
  seen += 2
  const [, three] = must(
    await ground.put([
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
  const metadata = (await told()).map(({ payload }) => (payload as unknown as { metadata: unknown }).metadata)
  expect(metadata).toEqual([{ size: 2 }, null, null, { size: 2 }])
})

test('what is refused is not told', async () => {
  expect((await ground.post([{ fields: { text: 'x' } }, { fields: {} }])).status).toBe(422)
  expect(await names()).toEqual([])
})

test('a change is told unless nothing is sent; suggestions of their own are not', async () => {
  const { id } = await ground.make({})
  seen += 1
  await as().patch(`/records/${id}`, {})
  await as().put(`/records/${id}/suggestions`, { question_id: ground.questions.label, value: 'a' })
  expect(await names()).toEqual([])
  await as().patch(`/records/${id}`, { metadata: { size: 1 } })
  expect(await names()).toEqual([['record.updated', id]])
})

test('deletions are told with the state before them, oldest first', async () => {
  const made = must(await ground.post([1, 2, 3].map((n) => ({ fields: { text: `t${n}` } })))).items.map(({ id }) => id)
  seen += 3
  await as().delete(`/datasets/${ground.dataset}/records?ids=${made[2]},${made[0]}`)
  await as().delete(`/records/${made[1]}`)
  expect(await names()).toEqual([
    ['record.deleted', made[0]],
    ['record.deleted', made[2]],
    ['record.deleted', made[1]],
  ])
  expect((await told())[0]?.payload.fields).toEqual({ text: 't1' })
})
