import type { Home } from '@postil/contract/home.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let server: TestServer
let workspace: string
let ann: TestUser
let bob: TestUser
let stranger: TestUser

beforeAll(async () => {
  server = await bootServer()
  workspace = (await server.createWorkspace()).id
  ann = await server.createUser({ workspaces: [workspace] })
  bob = await server.createUser({ workspaces: [workspace] })
  stranger = await server.createUser({ role: 'admin' })
})
afterAll(() => server.close())

const paths = (id: string) => [`/datasets/${id}/progress`, `/datasets/${id}/users/progress`, `/me/datasets/${id}/metrics`]
const addRecords = async (dataset: string, count: number): Promise<string[]> => {
  const items = Array.from({ length: count }, (_, i) => ({ fields: { text: `text ${i}` } }))
  const { body } = await server
    .clientFor(server.owner)
    .post<{ items: { id: string }[] }>(`/datasets/${dataset}/records/bulk`, { items })
  return body.items.map(({ id }) => id)
}
const answer = (user: TestUser, record: string | undefined, status: string) =>
  server.clientFor(user).post(`/records/${record}/responses`, { status, values: { label: { value: 'yes' } } })
const metrics = (numbers: object) => ({ total: 0, submitted: 0, discarded: 0, draft: 0, pending: 0, left: 0, ...numbers })
const home = async (user: TestUser) => (await server.clientFor(user).get<Home>('/me/home')).body

describe('progress', () => {
  it('is visible to members and owners of the dataset only', async () => {
    const dataset = await server.createDataset({ workspace_id: workspace })
    for (const path of paths(dataset.id)) {
      for (const user of [ann, server.owner]) expect((await server.clientFor(user).get(path)).status).toBe(200)
      expect((await server.clientFor(stranger).get(path)).status).toBe(403)
      expect((await server.clientFor(null).get(path)).status).toBe(401)
    }
    for (const path of paths('00000000-0000-7000-8000-000000000000'))
      expect((await server.clientFor(stranger).get(path)).status).toBe(404)
  })

  it('is zero for a draft and an empty dataset', async () => {
    for (const publish of [false, true]) {
      const { id } = await server.createDataset({ workspace_id: workspace, publish })
      const [progress, users, ownMetrics] = await Promise.all(paths(id).map((path) => server.clientFor(ann).get(path)))
      expect(progress?.body).toEqual({ total: 0, completed: 0, pending: 0, surplus: 0, answers: 0, answers_needed: 0, users: [] })
      expect(users?.body).toEqual({ users: [] })
      expect(ownMetrics?.body).toEqual({ responses: metrics({}), stopped: false })
    }
  })

  it('counts everyone’s answers, by order of first answers and of users', async () => {
    const { id } = await server.createDataset({ workspace_id: workspace })
    const [first, second, third] = await addRecords(id, 4)
    await answer(bob, first, 'discarded')
    await answer(ann, first, 'submitted')
    await answer(ann, second, 'draft')
    await answer(bob, third, 'submitted')
    const [progress, users, ownMetrics] = await Promise.all(paths(id).map((path) => server.clientFor(ann).get(path)))
    expect(progress?.body).toEqual({
      total: 4,
      completed: 2,
      pending: 2,
      surplus: 0,
      answers: 2,
      answers_needed: 4,
      users: [{ username: bob.username }, { username: ann.username }],
    })
    expect(users?.body).toEqual({
      users: [
        {
          username: ann.username,
          completed: { submitted: 1, discarded: 0, draft: 0 },
          pending: { submitted: 0, discarded: 0, draft: 1 },
        },
        {
          username: bob.username,
          completed: { submitted: 1, discarded: 1, draft: 0 },
          pending: { submitted: 0, discarded: 0, draft: 0 },
        },
      ],
    })
    expect(ownMetrics?.body).toEqual({
      responses: metrics({ total: 4, submitted: 1, draft: 1, pending: 2, left: 1 }),
      stopped: false,
    })
  })
})

describe('home', () => {
  it('shows each user the same as the individual routes', async () => {
    const { id } = await server.createDataset({
      workspace_id: workspace,
      fields: [
        { name: 'b', required: true, settings: { type: 'text' } },
        { name: 'a', settings: { type: 'image' } },
        { name: 'c', settings: { type: 'text' } },
      ],
      questions: [
        {
          name: 'label',
          required: true,
          settings: {
            type: 'label_selection',
            options: [
              { value: 'yes', text: 'Yes' },
              { value: 'no', text: 'No' },
            ],
          },
        },
        { name: 'note', settings: { type: 'text' } },
      ],
    })
    const items = [{ fields: { b: 'x' } }, { fields: { b: 'y' } }]
    const { body } = await server
      .clientFor(server.owner)
      .post<{ items: { id: string }[] }>(`/datasets/${id}/records/bulk`, { items })
    await answer(ann, body.items[0]?.id, 'submitted')
    for (const user of [ann, bob, server.owner]) {
      const { workspaces, datasets } = await home(user)
      const get = async <T>(path: string) => (await server.clientFor(user).get<T>(path)).body
      expect(workspaces).toEqual((await get<{ items: unknown }>('/me/workspaces')).items)
      expect(datasets.map(({ dataset }) => dataset)).toEqual((await get<{ items: unknown }>('/me/datasets')).items)
      for (const one of datasets) {
        expect(await get(`/datasets/${one.dataset.id}/progress`)).toMatchObject(one.progress)
        expect(await get(`/me/datasets/${one.dataset.id}/metrics`)).toEqual({ responses: one.metrics, stopped: false })
      }
      const shown = datasets.find(({ dataset }) => dataset.id === id)
      expect(shown).toMatchObject({ field_types: ['text', 'image'], question_types: ['label_selection', 'text'] })
      expect(shown?.metrics.submitted).toBe(user === ann ? 1 : 0)
    }
  })

  it('names the users with the most answers, and counts the others', async () => {
    const { id } = await server.createDataset({ workspace_id: workspace })
    const { id: other } = await server.createDataset({ workspace_id: workspace })
    const answeredBy = async (user: TestUser, of = id) =>
      (await home(user)).datasets.find(({ dataset }) => dataset.id === of)?.answered_by
    expect(await answeredBy(ann)).toEqual({ usernames: [], total: 0 })
    const people = await Promise.all(Array.from({ length: 7 }, () => server.createUser({ workspaces: [workspace] })))
    const records = await addRecords(id, 7)
    for (const [at, person] of people.entries()) {
      for (const [place, record] of records.slice(0, at + 1).entries())
        await answer(person, record, ['draft', 'discarded', 'submitted'][place % 3] ?? 'submitted')
    }
    const [elsewhere] = await addRecords(other, 1)
    await answer(ann, elsewhere, 'draft')
    const names = people.map(({ username }) => username).reverse()
    for (const user of [ann, people[0]!, server.owner]) {
      expect(await answeredBy(user)).toEqual({ usernames: names.slice(0, 5), total: 7 })
      expect(await answeredBy(user, other)).toEqual({ usernames: [ann.username], total: 1 })
    }
    await server.clientFor(server.owner).delete(`/users/${people[6]?.id}`)
    await server
      .clientFor(people[0]!)
      .delete(`/records/${records[0]}/responses/mine?mutation_id=${crypto.randomUUID()}&base_version=1`)
    expect(await answeredBy(ann)).toEqual({ usernames: names.slice(1, 6), total: 5 })
  })

  it('is empty for a user without a workspace', async () => {
    expect(await home(stranger)).toEqual({ workspaces: [], datasets: [], has_assignments: false })
    expect((await server.clientFor(null).get('/me/home')).status).toBe(401)
  })

  it('omits a deleted dataset at once', async () => {
    const { id } = await server.createDataset({ workspace_id: workspace })
    const ids = async () => (await home(ann)).datasets.map(({ dataset }) => dataset.id)
    expect(await ids()).toContain(id)
    await server.clientFor(server.owner).delete(`/datasets/${id}`)
    expect(await ids()).not.toContain(id)
  })
})
