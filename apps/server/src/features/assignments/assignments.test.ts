import type { SearchResult } from '@postil/contract/search.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { createTeam } from './testing/fixtures.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer({ delivery: null })
})
afterAll(async () => {
  expect(await recount(server.app.ctx)).toEqual([])
  await server.close()
})

const team = async (options: Parameters<typeof createTeam>[1]) => {
  const made = await createTeam(server, options)
  const [ann, bob, cyd] = made.users as [(typeof made.users)[0], (typeof made.users)[0], (typeof made.users)[0]]
  return { ...made, ann, bob, cyd }
}
const IN_A_YEAR = new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 19)
const searchFor = (values: readonly string[]) => ({
  filters: {
    and: [{ type: 'terms' as const, scope: { entity: 'record' as const, property: 'id' as const }, values: [...values] }],
  },
})
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

describe('assigning records', () => {
  it('splits records evenly, in the same way each time', async () => {
    const { assign, assigned, ann, bob, cyd, ids } = await team({ records: 10 })
    const body = { record_ids: ids, user_ids: [bob.id, ann.id, cyd.id] }
    expect(await assign(body)).toMatchObject({
      status: 'finished',
      done: 10,
      total: 10,
      assignments: { stored: 10, unchanged: 0, changed: 0, gone: 0 },
    })
    const split = [
      [1, 4, 7],
      [0, 3, 6, 9],
      [2, 5, 8],
    ]
    expect(await assigned()).toEqual(split)
    expect((await assign({ ...body, record_ids: [...ids].reverse() })).assignments).toMatchObject({ stored: 0, unchanged: 10 })
    expect(await assigned()).toEqual(split)
  })

  it('assigns all results of a search to everyone, replaces assignees or adds them', async () => {
    const { assign, assigned, find, ids, ann, bob, cyd } = await team({ records: 6 })
    const search = searchFor(ids.slice(1, 4))
    expect((await assign({ search, user_ids: [ann.id, bob.id], mode: 'all' })).assignments).toMatchObject({ stored: 3 })
    expect(await assigned()).toEqual([[1, 2, 3], [1, 2, 3], []])
    await assign({ search: searchFor(ids.slice(1, 2)), user_ids: [cyd.id], replace: false })
    expect(await assigned()).toEqual([[1, 2, 3], [1, 2, 3], [1]])
    await assign({ search: searchFor(ids.slice(2, 3)), user_ids: [cyd.id] })
    expect(await assigned()).toEqual([
      [1, 3],
      [1, 3],
      [1, 2],
    ])
    expect(await find(ann.id)).toEqual([1, 3])
    expect(await find(ann.id, cyd.id)).toEqual([1, 2, 3])
    expect(await find('none')).toEqual([0, 4, 5])
    expect(await find('none', cyd.id)).toEqual([0, 1, 2, 4, 5])
    expect(await find('nobody-has-this-id')).toEqual([])
  })

  it('finds new and deleted records by their assignments', async () => {
    const { assign, addRecords, find, ids, ann, owner, summary } = await team({ records: 4 })
    expect(await find('none')).toEqual([0, 1, 2, 3])
    await assign({ record_ids: ids.slice(0, 2), user_ids: [ann.id] })
    expect(await find('none')).toEqual([2, 3])
    await addRecords(1)
    expect([await find('none'), await find(ann.id)]).toEqual([
      [2, 3, 4],
      [0, 1],
    ])
    expect((await owner.delete(`/records/${ids[0]}`)).status).toBe(200)
    expect([await find('none'), await find(ann.id)]).toEqual([[2, 3, 4], [1]])
    expect(await summary()).toMatchObject([{ assigned: 1, remaining: 1 }])
  })

  it('finds records by relevance that have been assigned since the last search', async () => {
    const { assign, owner, dataset, ids, ann } = await team({ records: 6 })
    const search = async () => {
      const filter = { type: 'terms', scope: { entity: 'record', property: 'assigned_to' }, values: [ann.id] }
      const body = { query: { text: { q: 'text' } }, filters: { and: [filter] } }
      const { items, total } = must(await owner.post<SearchResult>(`/datasets/${dataset}/records/search`, body))
      return { places: items.map(({ record }) => ids.indexOf(record.id)).sort(), total }
    }
    await assign({ record_ids: ids.slice(0, 2), user_ids: [ann.id] })
    expect(await search()).toEqual({ places: [0, 1], total: 2 })
    await assign({ record_ids: ids.slice(2, 5), user_ids: [ann.id] })
    expect(await search()).toEqual({ places: range(0, 5), total: 5 })
  })

  it('counts what each person has done', async () => {
    const { assign, answer, summary, mine, ids, ann, bob, dataset } = await team({ records: 5, overlap: 2 })
    await assign({ record_ids: ids, user_ids: [ann.id, bob.id], mode: 'all', due_at: IN_A_YEAR })
    await answer(ann, 0)
    await answer(ann, 1, 'discarded')
    await answer(ann, 2, 'draft')
    await answer(bob, 0)
    await answer(server.owner, 1)
    await answer(bob, 1)
    const annCounts = { assigned: 5, done: 2, remaining: 3, overdue: 0, due_at: IN_A_YEAR }
    const found = await summary()
    expect(found.find(({ user }) => user.id === ann.id)).toEqual({
      user: { id: ann.id, username: ann.username },
      can_answer: true,
      ...annCounts,
    })
    expect(found.find(({ user }) => user.id === bob.id)).toMatchObject({ assigned: 5, done: 2, remaining: 3 })
    const [own] = await mine(ann)
    expect(own).toEqual({ dataset: { id: dataset, name: expect.any(String) }, ...annCounts })
  })

  it('leaves out single results of a search', async () => {
    const { assign, unassign, assigned, ids, ann } = await team({ records: 6 })
    const except_ids = [ids[1] as string, crypto.randomUUID()]
    expect((await assign({ search: {}, except_ids, user_ids: [ann.id] })).total).toBe(5)
    expect(await assigned()).toEqual([[0, 2, 3, 4, 5], [], []])
    await unassign({ search: {}, except_ids: ids.slice(4) })
    expect(await assigned()).toEqual([[4, 5], [], []])
  })

  it.each([
    ['no people', () => ({ user_ids: [] }), /user_ids/],
    ['no records', () => ({}), /search.*record_ids/, false],
    ['exceptions without a search', () => ({ except_ids: [crypto.randomUUID()] }), /'except_ids' needs 'search'/],
    ['an unknown user', () => ({ user_ids: [crypto.randomUUID()] }), /User with id .* not found/],
    ['a past due date', () => ({ due_at: '2001-01-01T00:00:00' }), /due date is in the past/],
    ['an invalid due date', () => ({ due_at: 'tomorrow' }), /tomorrow.*not a valid due date/],
    ['an unknown record', () => ({ record_ids: [crypto.randomUUID()] }), /Record with id .* not found/],
    [
      'a search for an unknown field',
      () => ({ search: { query: { text: { q: 'a', field: 'nothing' } } }, record_ids: null }),
      /nothing/,
    ],
  ])('refuses %s', async (_, change, message, hasRecords = true) => {
    const { path, owner, ids, ann, summary } = await team({ records: 1 })
    const records = hasRecords ? { record_ids: ids } : {}
    const { status, body } = await owner.post(path, { user_ids: [ann.id], ...records, ...change() })
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringMatching(message)])
    expect(await summary()).toEqual([])
  })

  it('refuses users who cannot answer in the dataset, by name', async () => {
    const { path, owner, ids, ann } = await team({ records: 1 })
    const outside = await server.createUser({ workspaces: [] })
    const post = async (id: string) => {
      const { status, body } = await owner.post(path, { record_ids: ids, user_ids: [ann.id, id] })
      return [status, JSON.stringify(body)]
    }
    expect(await post(outside.id)).toEqual([422, expect.stringMatching(`${outside.username}.*does not belong`)])
    await owner.patch(`/users/${ann.id}`, { active: false })
    expect(await post(server.owner.id)).toEqual([422, expect.stringMatching(`${ann.username}.*deactivated`)])
    expect((await owner.post(path, { record_ids: ids, user_ids: [server.owner.id] })).status).toBe(202)
  })
})

describe('moving and removing assignments', () => {
  it('moves only the remaining records, split among several people, with their due dates', async () => {
    const { assign, move, assigned, answer, summary, ids, ann, bob, cyd } = await team({ records: 8 })
    await assign({ record_ids: ids, user_ids: [ann.id], due_at: IN_A_YEAR })
    await answer(ann, 0)
    await answer(ann, 1, 'discarded')
    await answer(cyd, 2)
    await answer(ann, 3, 'draft')
    expect((await move(ann, bob, cyd)).assignments).toMatchObject({ stored: 5 })
    expect(await assigned()).toEqual([
      [0, 1, 2],
      [3, 5, 7],
      [4, 6],
    ])
    const moved = (await summary()).filter(({ user }) => user.id !== ann.id)
    expect(moved.map(({ due_at }) => due_at)).toEqual([IN_A_YEAR, IN_A_YEAR])
    await move(bob)
    expect(await assigned()).toEqual([[0, 1, 2], [], [4, 6]])
  })

  it('refuses to move records to the person who has them', async () => {
    const { path, owner, ann } = await team({ records: 1 })
    const body = { from_user_id: ann.id, to_user_ids: [ann.id] }
    expect((await owner.post(`${path}/move`, body)).status).toBe(422)
  })

  it('removes the assignments of some people or of everyone', async () => {
    const { assign, unassign, assigned, ids, ann, bob } = await team({ records: 3 })
    await assign({ record_ids: ids, user_ids: [ann.id, bob.id], mode: 'all' })
    await unassign({ record_ids: ids.slice(0, 2), user_ids: [ann.id] })
    expect(await assigned()).toEqual([[2], [0, 1, 2], []])
    expect((await unassign({ search: {} })).assignments).toMatchObject({ stored: 3 })
    expect(await assigned()).toEqual([[], [], []])
  })

  it('removes them when a person leaves the workspace or is deleted', async () => {
    const { assign, summary, find, next, owner, workspace, ids, ann, bob, cyd } = await team({ records: 6 })
    await assign({ record_ids: ids, user_ids: [ann.id, bob.id] })
    expect((await next(cyd)).next).toEqual([])
    expect((await owner.delete(`/workspaces/${workspace}/users/${ann.id}`)).status).toBe(200)
    expect((await summary()).map(({ user }) => user.id)).toEqual([bob.id])
    expect(await next(cyd)).toEqual({ next: [0, 2, 4], left: 3 })
    expect((await owner.delete(`/users/${bob.id}`)).status).toBe(200)
    expect(await summary()).toEqual([])
    expect(await find('none')).toEqual(range(0, 6))
    expect(await next(cyd)).toEqual({ next: range(0, 6), left: 6 })
  })

  it('keeps those of a deactivated person, and says that the person cannot answer', async () => {
    const { assign, move, summary, assigned, owner, ids, ann, bob } = await team({ records: 2 })
    await assign({ record_ids: ids, user_ids: [ann.id] })
    await owner.patch(`/users/${ann.id}`, { active: false })
    expect(await summary()).toMatchObject([{ user: { id: ann.id }, can_answer: false, remaining: 2 }])
    await move(ann, bob)
    expect(await assigned()).toEqual([[], [0, 1], []])
  })
})

describe('undoing a change', () => {
  it('restores earlier assignments, except of records that have changed since', async () => {
    const { assign, unassign, undo, assigned, summary, ids, ann, bob, cyd } = await team({ records: 6 })
    await assign({ record_ids: ids.slice(0, 3), user_ids: [ann.id], due_at: IN_A_YEAR })
    const job = await assign({ record_ids: ids, user_ids: [bob.id] })
    await unassign({ record_ids: ids.slice(5) })
    expect((await undo(job)).assignments).toEqual({ stored: 5, unchanged: 0, changed: 1, gone: 0 })
    expect(await assigned()).toEqual([[0, 1, 2], [], []])
    expect(await summary()).toMatchObject([{ user: { id: ann.id }, due_at: IN_A_YEAR }])
    expect((await undo(job)).assignments).toMatchObject({ stored: 0, changed: 6 })
    const moved = await assign({ record_ids: ids, user_ids: [cyd.id, bob.id] })
    await undo(moved)
    expect(await assigned()).toEqual([[0, 1, 2], [], []])
  })

  it('gives nothing back to people who have left', async () => {
    const { assign, undo, assigned, find, owner, workspace, ids, ann, bob } = await team({ records: 2 })
    await assign({ record_ids: ids, user_ids: [ann.id] })
    const job = await assign({ record_ids: ids, user_ids: [bob.id] })
    await owner.delete(`/workspaces/${workspace}/users/${ann.id}`)
    expect((await undo(job)).assignments).toMatchObject({ stored: 2 })
    expect(await assigned()).toEqual([[], [], []])
    expect(await find('none')).toEqual([0, 1])
  })

  it('refuses unknown jobs and undo jobs', async () => {
    const { assign, undo, owner, path, ids, ann } = await team({ records: 1 })
    const job = await undo(await assign({ record_ids: ids, user_ids: [ann.id] }))
    expect((await owner.post(`${path}/${job.id}/undo`)).status).toBe(422)
    expect((await owner.post(`${path}/${crypto.randomUUID()}/undo`)).status).toBe(404)
  })
})

it('is in the audit log with the names of the people', async () => {
  const { assign, owner, ids, ann, bob, dataset } = await team({ records: 2 })
  await assign({ record_ids: ids, user_ids: [ann.id, bob.id] })
  type Entries = { items: { action: string; target: { id: string }; details: object; names: object }[] }
  const { items } = (await owner.get<Entries>(`/audit?limit=1&action=assignments.assign`)).body
  expect(items).toMatchObject([
    {
      action: 'assignments.assign',
      target: { id: dataset },
      details: { user_1_id: ann.id, user_2_id: bob.id },
      names: { user_1_id: ann.username, user_2_id: bob.username },
    },
  ])
})

it('refuses filters by other people’s assignments in a search of one’s own records', async () => {
  const { as, ann, bob, dataset, assign, ids } = await team({ records: 2 })
  await assign({ record_ids: ids, user_ids: [ann.id, bob.id] })
  const find = (id: string) => {
    const filter = { type: 'terms', scope: { entity: 'record', property: 'assigned_to' }, values: [id] }
    return as(ann).post<{ total: number }>(`/me/datasets/${dataset}/records/search`, { filters: { and: [filter] } })
  }
  expect((await find(ann.id)).body.total).toBe(1)
  expect((await find(bob.id)).status).toBe(422)
})
