import type { TestUser } from '@postil/testkit/factories.ts'
import { type LockedRequest, runWhileLocked } from '@postil/testkit/locked-record.ts'
import { holdDataset, lockDataset, lockUser } from '@postil/testkit/named-locks.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { datasetNoOf } from '#platform/ids.ts'
import { createFixture, label, type ResponsesFixture } from './testing/fixtures.ts'

// Only on PostgreSQL, because the embedded database has a single writer: a command ends before the next one begins.
const onPostgres = it.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')

let fixture: ResponsesFixture
beforeAll(async () => {
  fixture = await createFixture()
})
afterAll(() => fixture.server.close())

const submitted = { status: 'submitted', values: label('a') } as const

const newPlace = async () => {
  const { server, workspace } = fixture
  const options = ['a', 'b'].map((value) => ({ value, text: value }))
  const questions = [{ name: 'label', required: true, settings: { type: 'label_selection', options } }]
  const { id } = await server.createDataset({ workspace_id: workspace, questions })
  const [record = ''] = await server.addRecords(id, 1)
  const user = await server.createUser({ workspaces: [workspace] })
  const owner = server.clientFor(server.owner)
  return { id, record, user, owner, no: datasetNoOf(record) }
}
type Place = Awaited<ReturnType<typeof newPlace>>

type Statements = readonly (readonly [text: string, values?: unknown[]])[]
const during = (statements: Statements, requests: readonly LockedRequest[]) =>
  runWhileLocked(fixture.server.app.ctx.config.databaseUrl, { statements, end: 'commit' }, requests)

const answers = async ({ no }: Place): Promise<number> => {
  const sql = new pg.Client({ connectionString: fixture.server.app.ctx.config.databaseUrl })
  await sql.connect()
  const { rowCount } = await sql.query('select 1 from responses where dataset_no = $1', [no])
  await sql.end()
  return rowCount ?? 0
}

const answer = ({ record }: Place, user: TestUser): LockedRequest => [
  'answer',
  () => fixture.as(user).post(`/records/${record}/responses`, submitted),
]
const bulkAnswer = ({ record }: Place, user: TestUser): LockedRequest => [
  'bulk',
  async () => {
    const { body } = await fixture.as(user).post<{ items: { error: { detail: string } | null }[] }>('/me/responses/bulk', {
      items: [{ record_id: record, ...submitted }],
    })
    return { state: body.items[0]?.error === null ? 'stored' : 'refused' }
  },
]
const upsert = ({ id, owner }: Place, user: TestUser): LockedRequest => [
  'upsert',
  () =>
    owner.put(`/datasets/${id}/records/bulk`, {
      items: [{ fields: { text: 'new' }, responses: [{ user_id: user.id, ...submitted }] }],
    }),
]
const newRecords = ({ id, owner }: Place): LockedRequest => [
  'new records',
  () => owner.post(`/datasets/${id}/records/bulk`, { items: [{ fields: { text: 'new' } }] }),
]

onPostgres('nothing is stored in a dataset that is deleted at the same time', async () => {
  const place = await newPlace()
  const { no, user } = place
  const deletion: Statements = [[lockDataset(no)], ['update datasets set gone_at = 1 where no = $1', [no]]]
  const outcomes = await during(deletion, [answer(place, user), bulkAnswer(place, user), newRecords(place)])
  expect(outcomes).toEqual(['answer 404', 'bulk refused', 'new records 404'])
  expect(await fixture.differences()).toEqual([])
})

onPostgres('an answer follows the settings that are stored at the same time', async () => {
  const place = await newPlace()
  const { no, user, owner, record } = place
  const change: Statements = [[lockDataset(no)], ['update datasets set min_submitted = 2 where no = $1', [no]]]
  expect(await during(change, [answer(place, user)])).toEqual(['answer 201'])
  expect((await owner.get(`/records/${record}`)).body).toMatchObject({ status: 'pending' })
})

onPostgres('an answer follows the questions that are stored at the same time', async () => {
  const place = await newPlace()
  const { no, id, user } = place
  const settings = JSON.stringify({ type: 'label_selection', options: [{ value: 'b', text: 'b' }] })
  const change: Statements = [[lockDataset(no)], ['update questions set settings = $2 where dataset_id = $1', [id, settings]]]
  expect(await during(change, [answer(place, user)])).toEqual(['answer 422'])
})

onPostgres('a user who is deleted at the same time gets no answers', async () => {
  const place = await newPlace()
  const { user } = place
  const deletion: Statements = [[lockUser(user.id)], ['delete from users where id = $1', [user.id]]]
  const outcomes = await during(deletion, [answer(place, user), bulkAnswer(place, user), upsert(place, user)])
  expect(outcomes).toEqual(['answer 404', 'bulk refused', 'upsert 422'])
  expect(await answers(place)).toBe(0)
  expect(await fixture.differences()).toEqual([])
})

onPostgres('a user who becomes an agent at the same time gets no answers', async () => {
  const place = await newPlace()
  const { user } = place
  const change: Statements = [[lockUser(user.id)], ['update users set is_agent = true where id = $1', [user.id]]]
  expect(await during(change, [answer(place, user), upsert(place, user)])).toEqual(['answer 403', 'upsert 422'])
  expect(await answers(place)).toBe(0)
})

onPostgres('the answer of a user who is deleted at the same time is not restored', async () => {
  const place = await newPlace()
  const { user, record, owner } = place
  const { id } = (await fixture.answer(user, record, submitted)).body
  await fixture.as(user).put(`/responses/${id}`, { ...submitted, values: label('b') })
  const { body } = await owner.get<{ items: { id: string }[] }>(`/records/${record}/history`)
  const deletion: Statements = [[lockUser(user.id)], ['delete from users where id = $1', [user.id]]]
  const restore = () => owner.post(`/records/${record}/history/${body.items[0]?.id}/restore`, {})
  expect(await during(deletion, [['restoring', restore]])).toEqual(['restoring 422'])
})

onPostgres('a dataset is changed or deleted only after the commands that use it', async () => {
  const { no, id, owner } = await newPlace()
  const outcomes = await during(
    [[holdDataset(no)]],
    [
      ['change', () => owner.patch(`/datasets/${id}`, { guidelines: 'as of now' })],
      ['deletion', () => owner.delete(`/datasets/${id}`)],
    ],
  )
  expect(outcomes).toEqual(['change 200', 'deletion 200'])
})

onPostgres('a user is deleted at once, and their answers later, while one of their datasets is being changed', async () => {
  const place = await newPlace()
  const { no, user, record, owner } = place
  await fixture.answer(user, record, submitted)
  const sql = new pg.Client({ connectionString: fixture.server.app.ctx.config.databaseUrl })
  await sql.connect()
  await sql.query('begin')
  await sql.query(lockDataset(no))
  const { status } = await owner.delete(`/users/${user.id}`)
  const { rows } = await sql.query('select user_id from responses where dataset_no = $1', [no])
  await sql.query('rollback')
  await sql.end()
  expect([status, rows]).toEqual([200, [{ user_id: user.id }]])
  await expect.poll(() => answers(place), { timeout: 20_000 }).toBe(0)
  expect(await fixture.differences()).toEqual([])
})
