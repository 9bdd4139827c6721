import type { History, HistoryChange } from '@postil/contract/history.ts'
import type { Record } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Response as Answered } from '@postil/testkit/client.ts'
import { detail } from '@postil/testkit/detail.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recount } from '#features/records/service.ts'

let server: TestServer
let [dataset, workspace] = ['', '']
let [ann, bob, admin] = [] as unknown as [TestUser, TestUser, TestUser]

beforeAll(async () => {
  server = await bootServer()
  workspace = (await server.createWorkspace()).id
  const workspaces = [workspace]
  ann = await server.createUser({ workspaces })
  bob = await server.createUser({ workspaces })
  admin = await server.createUser({ role: 'admin', workspaces })
  dataset = (await server.createDataset({ workspace_id: workspace, allow_extra_metadata: true })).id
})
afterAll(() => server.close())

const must = <T>({ status, body }: Answered<T>): T => {
  expect([status, status < 300 ? '' : body]).toEqual([status, ''])
  return body
}
const label = (value: string, status = 'submitted') => ({ status, values: { label: { value } } })

const newRecord = async (metadata: object = {}): Promise<string> => {
  const body = { items: [{ fields: { text: 'first' }, metadata }] }
  const { items } = must(
    await server.clientFor(server.owner).post<{ items: Record[] }>(`/datasets/${dataset}/records/bulk`, body),
  )
  return items[0]?.id ?? ''
}
const answer = async (user: TestUser, record: string, body: object) =>
  must(await server.clientFor(user).post<Response>(`/records/${record}/responses`, body))
const change = async (user: TestUser, { id }: Response, body: object) =>
  must(await server.clientFor(user).put<Response>(`/responses/${id}`, body))
const remove = async (user: TestUser, { id }: Response) => must(await server.clientFor(user).delete<Response>(`/responses/${id}`))
const historyOf = async (user: TestUser, record: string, query = '') =>
  must(await server.clientFor(user).get<History>(`/records/${record}/history${query}`))

type Restored = { readonly response: Response | null; readonly record: Record | null; readonly detail?: string }
const restore = (user: TestUser, record: string, { id }: HistoryChange, body: object = {}) =>
  server.clientFor(user).post<Restored>(`/records/${record}/history/${id}/restore`, body)

const summaryOf = (changed: HistoryChange) => [
  changed.subject,
  changed.action,
  changed.by,
  changed.subject === 'response'
    ? [changed.before.version, changed.before.values?.['label']?.value]
    : changed.subject === 'record' && changed.before.fields['text'],
]

describe('history', () => {
  it('returns every change with what it replaced, newest first', async () => {
    const record = await newRecord()
    const first = await answer(ann, record, label('yes', 'draft'))
    const second = await change(ann, first, label('no'))
    must(await server.clientFor(admin).patch(`/records/${record}`, { fields: { text: 'second' } }))
    await change(admin, second, label('yes'))
    const other = await answer(bob, record, label('no'))
    await remove(admin, other)

    const { items, total, current, users } = await historyOf(admin, record)
    expect(items.map(summaryOf)).toEqual([
      ['response', 'delete', admin.id, [1, 'no']],
      ['response', 'update', admin.id, [2, 'no']],
      ['record', 'update', admin.id, 'first'],
      ['response', 'update', ann.id, [1, 'yes']],
    ])
    expect(total).toBe(4)
    expect(items[3]?.before).toEqual(first)
    expect(items[0]?.before).toEqual(other)
    expect(current.map(({ id, version }) => [id, version])).toEqual([[first.id, 3]])
    expect(users.map(({ id }) => id).sort()).toEqual([ann.id, bob.id, admin.id].sort())
    const times = items.map(({ at }) => at)
    expect(times).toEqual([...times].sort().reverse())

    const page = await historyOf(admin, record, '?offset=1&limit=2')
    expect(page).toMatchObject({ total: 4, items: items.slice(1, 3) })
  })

  it('shows annotators only changes to their own answers', async () => {
    const record = await newRecord({ secret: 'hidden' })
    await change(ann, await answer(ann, record, label('yes')), label('no'))
    await change(bob, await answer(bob, record, label('no')), label('yes'))
    must(await server.clientFor(admin).patch(`/records/${record}`, { metadata: {} }))
    const { items, current, users } = await historyOf(ann, record)
    expect(items.map(summaryOf)).toEqual([['response', 'update', ann.id, [1, 'yes']]])
    expect(current.map(({ user_id }) => user_id)).toEqual([ann.id])
    expect(users.map(({ id }) => id)).toEqual([ann.id])
    const nothing = await historyOf(await server.createUser({ workspaces: [workspace] }), record)
    expect(nothing).toEqual({ items: [], total: 0, current: [], users: [] })
  })

  it('omits the names of deleted users, and keeps their changes', async () => {
    const record = await newRecord()
    const leaver = await server.createUser({ workspaces: [workspace] })
    await change(leaver, await answer(leaver, record, label('yes')), label('no'))
    must(await server.clientFor(server.owner).delete(`/users/${leaver.id}`))
    const { items, users } = await historyOf(admin, record)
    expect(items.map(({ action }) => action)).toEqual(['delete', 'update'])
    expect(users.map(({ id }) => id)).not.toContain(leaver.id)
    const refused = await restore(admin, record, items[0] as HistoryChange)
    expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringContaining('no longer exists') } })
  })
})

describe('restoring', () => {
  it('returns an answer to its earlier state, with a new version and correct counts', async () => {
    const record = await newRecord()
    const first = await answer(ann, record, label('yes'))
    await change(ann, first, label('no', 'draft'))
    const [changed] = (await historyOf(ann, record)).items as [HistoryChange]
    const { response } = must(await restore(ann, record, changed, { base_version: 2 }))
    expect(response).toMatchObject({ id: first.id, version: 3, status: 'submitted', values: label('yes').values })
    expect(must(await server.clientFor(ann).get<Record>(`/records/${record}`)).status).toBe('completed')
    expect(await recount(server.app.ctx)).toEqual([])
    // Restoring again changes nothing.
    expect(must(await restore(ann, record, changed, { base_version: 3 })).response?.version).toBe(3)
  })

  it('restores a deleted answer to its author, with a version above the earlier ones', async () => {
    const record = await newRecord()
    const first = await answer(bob, record, label('yes'))
    await remove(bob, first)
    const [deleted] = (await historyOf(admin, record)).items as [HistoryChange]
    const { response } = must(await restore(admin, record, deleted, { base_version: null }))
    expect(response).toMatchObject({ user_id: bob.id, version: 3, status: 'submitted', values: label('yes').values })
    const progress = must(
      await server.clientFor(bob).get<{ responses: { submitted: number } }>(`/me/datasets/${dataset}/metrics`),
    )
    const before = progress.responses.submitted
    await remove(bob, response as Response)
    const after = must(await server.clientFor(bob).get<{ responses: { submitted: number } }>(`/me/datasets/${dataset}/metrics`))
    expect(after.responses.submitted).toBe(before - 1)
    expect(await recount(server.app.ctx)).toEqual([])
  })

  it('restores an answer of a user without other answers in the dataset', async () => {
    const record = await newRecord()
    const fresh = await server.createUser({ workspaces: [workspace] })
    const first = await answer(fresh, record, label('yes', 'discarded'))
    await remove(admin, first)
    const [deleted] = (await historyOf(admin, record)).items as [HistoryChange]
    must(await restore(server.owner, record, deleted))
    expect(await recount(server.app.ctx)).toEqual([])
  })

  it('is refused for an outdated base version, and returns the current answer', async () => {
    const record = await newRecord()
    const second = await change(ann, await answer(ann, record, label('yes')), label('no'))
    const [changed] = (await historyOf(ann, record)).items as [HistoryChange]
    for (const base_version of [1, null]) {
      const refused = await restore(ann, record, changed, { base_version })
      expect(refused).toMatchObject({ status: 409, body: { response: second } })
    }
    expect((await historyOf(ann, record)).total).toBe(1)
  })

  it('returns a record to its earlier state', async () => {
    const record = await newRecord({ a: 'b' })
    must(await server.clientFor(admin).patch(`/records/${record}`, { fields: { text: 'zebra' }, metadata: { c: 'd' } }))
    const [changed] = (await historyOf(admin, record)).items as [HistoryChange]
    const restored = must(await restore(admin, record, changed))
    expect(restored).toMatchObject({ response: null, record: { fields: { text: 'first' }, metadata: { a: 'b' } } })
    expect((await historyOf(admin, record)).items.map(summaryOf)).toEqual([
      ['record', 'update', admin.id, 'zebra'],
      ['record', 'update', admin.id, 'first'],
    ])
    const found = must(
      await server
        .clientFor(admin)
        .post<{ total: number }>(`/datasets/${dataset}/records/search`, { query: { text: { q: 'zebra' } } }),
    )
    expect(found.total).toBe(0)
  })

  /** Creates a dataset with a span question, `words`, and one record whose text has 11 characters. */
  const newSpanRecord = async (): Promise<string> => {
    const span = { type: 'span', field: 'text', options: [{ value: 's', text: 's' }] }
    const { id } = await server.createDataset({
      workspace_id: workspace,
      questions: [{ name: 'words', required: true, settings: span }],
    })
    const body = { items: [{ fields: { text: 'a long text' } }] }
    const { items } = must(await server.clientFor(server.owner).post<{ items: Record[] }>(`/datasets/${id}/records/bulk`, body))
    return items[0]?.id ?? ''
  }

  it('is refused for a value that is no longer valid, and changes nothing', async () => {
    const record = await newSpanRecord()
    const marked = { status: 'submitted', values: { words: { value: [{ start: 0, end: 11, label: 's' }] } } }
    await remove(ann, await answer(ann, record, marked))
    must(await server.clientFor(admin).patch(`/records/${record}`, { fields: { text: 'short' } }))
    const deleted = (await historyOf(ann, record)).items[0] as HistoryChange
    expect(await restore(ann, record, deleted)).toMatchObject({ status: 422 })
    expect((await historyOf(admin, record)).total).toBe(2)
    expect((await historyOf(admin, record)).current).toEqual([])
  })

  it('changes nothing if the current answer is equal, even if it is no longer valid', async () => {
    const record = await newSpanRecord()
    const marked = (end: number) => ({ status: 'submitted', values: { words: { value: [{ start: 0, end, label: 's' }] } } })
    const first = await answer(ann, record, marked(11))
    const current = await change(ann, await change(ann, first, marked(4)), marked(11))
    must(await server.clientFor(admin).patch(`/records/${record}`, { fields: { text: 'short' } }))
    const changes = (await historyOf(ann, record)).items as [HistoryChange, HistoryChange]
    expect(must(await restore(ann, record, changes[1])).response).toEqual(current)
    expect(must(await restore(ann, record, changes[1], { base_version: 3 })).response).toEqual(current)
    expect(await restore(ann, record, changes[1], { base_version: 2 })).toMatchObject({ status: 409 })
    expect((await historyOf(ann, record)).total).toBe(2)
  })

  it('finds a change only with its record, and only for users who can see it', async () => {
    const record = await newRecord()
    must(await server.clientFor(admin).patch(`/records/${record}`, { fields: { text: 'second' } }))
    await change(bob, await answer(bob, record, label('yes')), label('no'))
    const { items } = await historyOf(admin, record)
    for (const changed of items) {
      expect(await restore(admin, await newRecord(), changed)).toMatchObject({ status: 404 })
      expect(await restore(ann, record, changed)).toMatchObject({ status: 403 })
    }
    expect((await historyOf(admin, record)).total).toBe(2)
  })
})

detail('a page of large answers has fewer changes, and the next pages have the rest', async () => {
  const question = { name: 'note', required: true, settings: { type: 'text' } }
  const notes = await server.createDataset({ workspace_id: workspace, questions: [question] })
  const made = await server
    .clientFor(server.owner)
    .post<{ items: Record[] }>(`/datasets/${notes.id}/records/bulk`, { items: [{ fields: { text: 'x' } }] })
  const record = must(made).items[0]?.id ?? ''
  const note = (version: number) => ({ status: 'draft', values: { note: { value: `${version} ${'x'.repeat(900_000)}` } } })
  const first = await answer(ann, record, note(1))
  for (let version = 2; version <= 12; version += 1) await change(ann, first, note(version))
  const seen: number[] = []
  const pages: number[] = []
  for (let offset = 0; offset < 11; offset += pages.at(-1) ?? 11) {
    const { items, total, current } = await historyOf(ann, record, `?offset=${offset}`)
    expect([total, current.map(({ version }) => version)]).toEqual([11, [12]])
    pages.push(items.length)
    seen.push(...items.map(({ before }) => ('version' in before ? before.version : 0)))
  }
  expect(seen).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  expect(new Set(pages)).toEqual(new Set([1]))
})
