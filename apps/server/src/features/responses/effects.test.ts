import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ResponsesFixture } from './testing/fixtures.ts'
import { createFixture, label } from './testing/fixtures.ts'
import { rowsOf } from './testing/operations.ts'

let fixture: ResponsesFixture
let server: ResponsesFixture['server']
let ann: TestUser
let bob: TestUser
let admin: TestUser
beforeAll(async () => {
  fixture = await createFixture()
  ;({ server, ann, bob, admin } = fixture)
})
afterAll(() => server.close())

const as = (user: TestUser) => fixture.as(user)
const newRecord = () => fixture.newRecord()
const answer: ResponsesFixture['answer'] = (...args) => fixture.answer(...args)
const differences = () => fixture.differences()

const metricsOf = async (user: TestUser, dataset: string) =>
  (await as(user).get<{ responses: unknown }>(`/me/datasets/${dataset}/metrics`)).body.responses

describe('the effects of an answer', () => {
  it('update the record’s status in both directions, and the counters of everyone who answered it', async () => {
    const twice = await server.createDataset({
      workspace_id: fixture.workspace,
      distribution: { strategy: 'overlap', min_submitted: 2 },
    })
    const [record] = await server.addRecords(twice.id, 2)
    const recordRow = async () => (await server.tool.read(rowsOf, { table: 'records' })).find(({ id }) => id === record)
    const before = await recordRow()
    const submit = { status: 'submitted', values: label('yes') }
    const own = await answer(ann, record as string, submit)
    expect(await recordRow()).toMatchObject({ status: 'pending', submitted: 1, updated_at: before?.updated_at })
    await answer(bob, record as string, submit)
    const completed = await recordRow()
    expect(completed).toMatchObject({ status: 'completed', submitted: 2 })
    expect(completed?.updated_at).toBeGreaterThan(Number(before?.updated_at))
    await answer(admin, record as string, { status: 'draft' })
    expect((await as(ann).get(`/datasets/${twice.id}/progress`)).body).toEqual({
      total: 2,
      completed: 1,
      pending: 1,
      surplus: 0,
      answers: 2,
      answers_needed: 4,
      users: [{ username: ann.username }, { username: bob.username }, { username: admin.username }],
    })
    const one = (status: string) => ({ submitted: 0, discarded: 0, draft: 0, [status]: 1 })
    const zero = { submitted: 0, discarded: 0, draft: 0 }
    const perUser = async () => (await as(ann).get<{ users: unknown[] }>(`/datasets/${twice.id}/users/progress`)).body.users
    expect(await perUser()).toEqual([
      { username: ann.username, completed: one('submitted'), pending: zero },
      { username: bob.username, completed: one('submitted'), pending: zero },
      { username: admin.username, completed: one('draft'), pending: zero },
    ])
    await as(ann).delete(`/responses/${own.body.id}`)
    expect(await recordRow()).toMatchObject({ status: 'pending', submitted: 1 })
    expect(await perUser()).toEqual([
      { username: bob.username, completed: zero, pending: one('submitted') },
      { username: admin.username, completed: zero, pending: one('draft') },
    ])
    expect((await as(ann).get<{ users: unknown[] }>(`/datasets/${twice.id}/progress`)).body.users).toHaveLength(3)
    expect(await metricsOf(ann, twice.id)).toEqual({ total: 2, submitted: 0, discarded: 0, draft: 0, pending: 2, left: 2 })
    expect(await metricsOf(bob, twice.id)).toEqual({ total: 2, submitted: 1, discarded: 0, draft: 0, pending: 1, left: 1 })
    expect(await differences()).toEqual([])
  })

  it('update the dataset’s last activity, but not its updated_at', async () => {
    const activity = async () =>
      (await as(ann).get<{ last_activity_at: string; updated_at: string }>(`/datasets/${fixture.dataset}`)).body
    const record = await newRecord()
    const seen = [await activity()]
    const { body } = await answer(ann, record, { status: 'draft' })
    seen.push(await activity())
    await as(ann).put(`/responses/${body.id}`, { status: 'draft' })
    seen.push(await activity())
    await as(ann).delete(`/responses/${body.id}`)
    seen.push(await activity())
    const times = seen.map(({ last_activity_at }) => last_activity_at)
    expect([...times].sort()).toEqual(times)
    expect(new Set(times).size).toBe(4)
    expect(new Set(seen.map(({ updated_at }) => updated_at)).size).toBe(1)
  })

  it('add a history image for a replaced answer, but none for a new one', async () => {
    const record = await newRecord()
    const { body } = await answer(ann, record, { status: 'draft', values: label('a') })
    await as(admin).put(`/responses/${body.id}`, { status: 'submitted', values: label('b') })
    await as(ann).delete(`/responses/${body.id}`)
    const rows = (await server.tool.read(rowsOf, { table: 'history' })).filter((row) => row.subject_id === body.id)
    expect(rows.sort((a, b) => Number(a.at) - Number(b.at))).toMatchObject([
      { action: 'update', user_id: admin.id, image: { status: 'draft', values: label('a'), version: 1, user_id: ann.id } },
      { action: 'delete', user_id: ann.id, image: { status: 'submitted', values: label('b'), version: 2 } },
    ])
    const tombstones = await server.tool.read(rowsOf, { table: 'response_tombstones' })
    expect(tombstones.find(({ id }) => id === body.id)).toMatchObject({ record_id: record, user_id: ann.id, version: 3 })
  })
})
