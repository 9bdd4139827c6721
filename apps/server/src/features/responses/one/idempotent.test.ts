import type { Response } from '@postil/contract/responses.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recountResponses } from '../counters/recount.ts'
import type { ResponsesServer } from '../testing/boot.ts'
import { bootWithTool } from '../testing/boot.ts'
import { rowsOf } from '../testing/operations.ts'

let server: ResponsesServer
let dataset: string
let ann: TestUser
let stranger: TestUser

beforeAll(async () => {
  server = await bootWithTool()
  const workspace = (await server.createWorkspace()).id
  ann = await server.createUser({ workspaces: [workspace] })
  stranger = await server.createUser()
  dataset = (await server.createDataset({ workspace_id: workspace })).id
})
afterAll(() => server.close())

type OwnResponse = Response & { readonly detail?: string; readonly response?: Response | null }
const newRecord = async (): Promise<string> => (await server.addRecords(dataset, 1))[0] as string
const id = () => crypto.randomUUID()
const draft = (value: string) => ({ status: 'draft', values: { label: { value } } })
const submitted = (value: string) => ({ status: 'submitted', values: { label: { value } } })

const put = (record: string, mutation_id: string, base_version: number | null, body: object, user = ann) =>
  server.clientFor(user).put<OwnResponse>(`/records/${record}/responses/mine`, { mutation_id, base_version, ...body })
const clear = (record: string, mutation_id: string, base_version: number | null, user = ann) =>
  server
    .clientFor(user)
    .delete<{ response: Response | null; detail?: string }>(
      `/records/${record}/responses/mine?mutation_id=${mutation_id}${base_version === null ? '' : `&base_version=${base_version}`}`,
    )
/** Everything that would change if a request took effect twice. */
const traces = async () => {
  const tables = ['responses', 'history', 'response_tombstones', 'dataset_counts', 'user_counts', 'dataset_activity'] as const
  return JSON.stringify(await Promise.all(tables.map((table) => server.tool.read(rowsOf, { table }))))
}

describe('an idempotent answer', () => {
  it('is created, then replaced based on its version', async () => {
    const record = await newRecord()
    const created = await put(record, id(), null, draft('yes'))
    expect(created).toMatchObject({ status: 201, body: { version: 1, status: 'draft', user_id: ann.id } })
    const replaced = await put(record, id(), 1, submitted('no'))
    expect(replaced).toMatchObject({ status: 200, body: { version: 2, id: created.body.id, status: 'submitted' } })
  })

  it('is refused if the sent user ID isn’t the caller’s', async () => {
    const record = await newRecord()
    const own = { ...draft('yes'), user_id: ann.id }
    expect((await put(record, id(), null, own)).status).toBe(201)
    const before = await traces()
    const member = await server.createUser({ role: 'owner' })
    expect(await put(record, id(), null, own, member)).toMatchObject({ status: 401 })
    const path = `/records/${record}/responses/mine?mutation_id=${id()}&base_version=1&user_id=${ann.id}`
    expect(await server.clientFor(member).delete(path)).toMatchObject({ status: 401 })
    expect(await traces()).toBe(before)
    expect((await server.clientFor(ann).delete(path)).status).toBe(200)
  })

  it('returns the first result when repeated, and changes nothing', async () => {
    const record = await newRecord()
    const [first, second] = [id(), id()]
    const created = await put(record, first, null, draft('yes'))
    const before = await traces()
    expect(await put(record, first, null, draft('yes'))).toMatchObject({ status: 200, body: created.body })
    expect(await traces()).toBe(before)
    const replaced = await put(record, second, 1, submitted('no'))
    const after = await traces()
    for (const _ of [1, 2]) {
      expect((await put(record, first, null, draft('yes'))).body).toEqual(created.body)
      expect((await put(record, second, 1, submitted('no'))).body).toEqual(replaced.body)
    }
    expect(await traces()).toBe(after)
  })

  it('isn’t applied again after the answer was changed by other routes or deleted', async () => {
    const record = await newRecord()
    const [first, second] = [id(), id()]
    const created = await put(record, first, null, draft('yes'))
    await server.clientFor(server.owner).put(`/responses/${created.body.id}`, submitted('no'))
    expect((await put(record, first, null, draft('yes'))).body).toEqual(created.body)
    const stands = await put(record, second, 2, draft('no'))
    await server.clientFor(ann).delete(`/responses/${created.body.id}`)
    const before = await traces()
    expect(await put(record, first, null, draft('yes'))).toMatchObject({ status: 200, body: created.body })
    expect(await put(record, second, 2, draft('no'))).toMatchObject({ status: 200, body: stands.body })
    expect(await traces()).toBe(before)
  })

  it('is refused for an outdated base version, and returns the current answer', async () => {
    const record = await newRecord()
    const created = await put(record, id(), null, draft('yes'))
    for (const base of [null, 0, 2]) {
      const refused = await put(record, id(), base, submitted('no'))
      expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining(record), response: created.body } })
    }
    expect(await put(await newRecord(), id(), 1, draft('yes'))).toMatchObject({ status: 409, body: { response: null } })
  })

  it('never reuses a version', async () => {
    const record = await newRecord()
    await put(record, id(), null, draft('yes'))
    await clear(record, id(), 1)
    const again = await put(record, id(), null, draft('no'))
    expect(again).toMatchObject({ status: 201, body: { version: 3 } })
    expect((await put(record, id(), 1, submitted('yes'))).status).toBe(409)
    await server.clientFor(ann).delete(`/responses/${again.body.id}`)
    const created = await server.clientFor(ann).post<Response>(`/records/${record}/responses`, draft('yes'))
    expect(created.body.version).toBe(5)
  })

  it('is applied once when it arrives twice at the same time', async () => {
    for (let i = 0; i < 10; i += 1) {
      const record = await newRecord()
      const [mutation, other] = [id(), id()]
      const answers = await Promise.all([
        ...[1, 2, 3].map(() => put(record, mutation, null, draft('yes'))),
        put(record, other, null, submitted('no')),
      ])
      const stored = (await server.tool.read(rowsOf, { table: 'responses' })).filter((row) => row.record_id === record)
      expect(stored).toMatchObject([{ version: 1 }])
      const won = stored[0]?.last_mutation_id === mutation ? answers.slice(0, 3) : answers.slice(3)
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(won.length)
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    }
    expect(await server.app.ctx.store.read(recountResponses, {})).toEqual([])
  })

  it('follows the rules and permissions of all answers', async () => {
    const record = await newRecord()
    expect((await put(record, id(), null, { status: 'submitted', values: {} })).status).toBe(422)
    expect((await put(record, id(), null, { status: 'pending', values: {} })).status).toBe(422)
    expect((await put(record, 'nonsense', null, draft('yes'))).status).toBe(422)
    expect((await put('00000000-0000-7000-8000-000000000000', id(), null, draft('yes'))).status).toBe(404)
    expect((await put(record, id(), null, draft('yes'), stranger)).status).toBe(403)
    // The version check precedes the validation of values.
    expect((await put(record, id(), 7, { status: 'submitted', values: {} })).status).toBe(409)
    const mutation = id()
    expect((await put(record, mutation, null, submitted('nonsense'))).status).toBe(422)
    expect((await put(record, mutation, null, submitted('yes'))).status).toBe(201)
  })

  it('is separate for each user, even with the same mutation ID', async () => {
    const record = await newRecord()
    const mutation = id()
    const mine = await put(record, mutation, null, draft('yes'))
    const other = await put(record, mutation, null, draft('no'), server.owner)
    expect([mine.status, other.status]).toEqual([201, 201])
    expect(other.body.id).not.toBe(mine.body.id)
  })
})

describe('an idempotent deletion', () => {
  it('returns the deleted answer on every repetition, and leaves a later answer alone', async () => {
    const record = await newRecord()
    const created = await put(record, id(), null, submitted('yes'))
    const mutation = id()
    expect((await clear(record, mutation, 1)).body).toEqual({ response: created.body })
    expect((await clear(record, mutation, 1)).body).toEqual({ response: created.body })
    const again = await put(record, id(), null, draft('no'))
    expect((await clear(record, mutation, 1)).body).toEqual({ response: created.body })
    expect((await server.clientFor(ann).get<{ responses: unknown }>(`/me/datasets/${dataset}/metrics`)).status).toBe(200)
    expect((await put(record, id(), again.body.version, draft('no'))).status).toBe(200)
  })

  it('is refused for an outdated base version, and succeeds without an answer', async () => {
    const record = await newRecord()
    expect(await clear(record, id(), null)).toMatchObject({ status: 200, body: { response: null } })
    expect(await clear(record, id(), 1)).toMatchObject({ status: 409, body: { response: null } })
    const created = await put(record, id(), null, draft('yes'))
    expect(await clear(record, id(), null)).toMatchObject({ status: 409, body: { response: created.body } })
    expect((await clear(record, id(), 1, stranger)).status).toBe(403)
    expect(await server.app.ctx.store.read(recountResponses, {})).toEqual([])
  })
})
