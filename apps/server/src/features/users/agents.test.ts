import type { Job } from '@postil/contract/jobs.ts'
import type { User } from '@postil/contract/people/users.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { createReviewTeam, valuesOf } from '#features/review/testing/review-team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer({ delivery: null })
})
afterAll(async () => {
  expect(await recount(server.app.ctx)).toEqual([])
  await server.close()
})

const agentAnswers = 'Agents cannot give, change or request answers. Only people can'
const refused = {
  status: 403,
  body: { detail: { code: 'argilla.api.errors::ForbiddenOperationError', params: { detail: agentAnswers } } },
}
const mark = (user: TestUser, agent = true) => server.clientFor(server.owner).patch<User>(`/users/${user.id}`, { agent })

/** A dataset with two people, and an agent who is an admin of its workspace. */
const createTeam = async (count = 2) => {
  const team = await createReviewTeam(server, count)
  const agent = await server.createUser({ role: 'admin', workspaces: [team.workspace_id] })
  must(await mark(agent))
  return { ...team, agent, asAgent: team.as(agent) }
}
type Team = Awaited<ReturnType<typeof createTeam>>

describe('marking users as agents', () => {
  it('can happen when the user is created and later, and shows in all lists', async () => {
    const owner = server.clientFor(server.owner)
    const { id: workspace } = await server.createWorkspace()
    const user = { first_name: 'Bot', username: 'bot', password: 'a-password' }
    const { body: made } = await owner.post<User>('/users', { ...user, agent: true })
    expect(made).toMatchObject({ role: 'annotator', agent: true })
    must(await owner.post(`/workspaces/${workspace}/users`, { user_id: made.id }))
    const flags = async () => {
      const lists = ['/users', '/people', `/workspaces/${workspace}/users`]
      const found = await Promise.all(lists.map((path) => owner.get<{ items: (User & { id: string })[] }>(path)))
      return found.map(({ body }) => body.items.find(({ id }) => id === made.id)?.agent)
    }
    expect(await flags()).toEqual([true, true, true])
    expect(must(await server.clientFor(made).get<User>('/me')).agent).toBe(true)
    expect(must(await owner.patch<User>(`/users/${made.id}`, { agent: false })).agent).toBe(false)
    expect(await flags()).toEqual([false, false, false])
    expect(must(await owner.post<User>('/users', { ...user, username: 'person' })).agent).toBe(false)
  })

  it('is refused for users who have answers', async () => {
    const team = await createReviewTeam(server, 1)
    const { id } = await team.answer(team.ann, 0, 'yes', 'draft')
    expect(await mark(team.ann)).toMatchObject({ status: 422, body: { detail: expect.stringContaining(team.ann.username) } })
    must(await team.as(team.ann).delete(`/responses/${id}`))
    expect(must(await mark(team.ann)).agent).toBe(true)
  })

  it('never leaves an agent with an answer', async () => {
    const team = await createReviewTeam(server, 1)
    for (let round = 0; round < 10; round++) {
      const user = await server.createUser({ workspaces: [team.workspace_id] })
      const answer = { status: 'submitted', values: valuesOf('yes') }
      const [marked, answered] = await Promise.all([mark(user), team.as(user).post(`/records/${team.ids[0]}/responses`, answer)])
      expect([`${marked.status} ${answered.status}`]).toEqual([marked.status === 200 ? '200 403' : '422 201'])
    }
  })

  it('ends their leases', async () => {
    const team = await createReviewTeam(server, 1)
    const take = (user: TestUser) => team.as(user).post<{ items: unknown[] }>(`/me${team.path}/queue`, { limit: 1 })
    for (const user of [team.ann, team.bob]) expect(must(await take(user)).items).toHaveLength(1)
    expect(must(await take(team.cyd)).items).toHaveLength(0)
    must(await mark(team.bob))
    expect(must(await take(team.cyd)).items).toHaveLength(1)
  })
})

describe('agents', () => {
  const submitted = { status: 'submitted', values: valuesOf('yes') }
  const ways: readonly (readonly [string, (team: Team) => Promise<{ status: number; body: unknown }>])[] = [
    ['answer', ({ asAgent, ids }) => asAgent.post(`/records/${ids[0]}/responses`, submitted)],
    ['save a draft', ({ asAgent, ids }) => asAgent.post(`/records/${ids[0]}/responses`, { status: 'draft', values: {} })],
    [
      'send an answer that can be repeated',
      ({ asAgent, ids }) =>
        asAgent.put(`/records/${ids[0]}/responses/mine`, {
          ...submitted,
          mutation_id: crypto.randomUUID(),
          base_version: null,
        }),
    ],
    [
      'answer the results of a search',
      ({ asAgent, path }) =>
        asAgent.post(`/me${path}/responses/bulk-jobs`, { search: {}, limit: null, ...submitted, own_questions: [] }),
    ],
    [
      'change the answer of a person',
      async ({ asAgent, answer, ann }) => asAgent.put(`/responses/${(await answer(ann, 1, 'no')).id}`, submitted),
    ],
    [
      'delete the answer of a person',
      async (team) => team.asAgent.delete(`/responses/${(await team.answer(team.ann, 1, 'no')).id}`),
    ],
    [
      'return the answer of a person',
      async ({ asAgent, answer, ann }) =>
        asAgent.post(`/responses/${(await answer(ann, 1, 'no')).id}/return`, { comment: 'Look again' }),
    ],
    [
      'add records with answers of a person',
      ({ asAgent, path, ann }) =>
        asAgent.post(`${path}/records/bulk`, {
          items: [{ fields: { text: 'x' }, responses: [{ user_id: ann.id, ...submitted }] }],
        }),
    ],
    ['take records from the queue', ({ asAgent, path }) => asAgent.post(`/me${path}/queue`, { limit: 1 })],
  ]
  test.each(ways)('cannot %s', async (_, request) => {
    expect(await request(await createTeam())).toMatchObject(refused)
  })

  it('get an error for each item of a bulk request', async () => {
    const { asAgent, ids } = await createTeam()
    const items = [{ record_id: ids[0], ...submitted }]
    expect(must(await asAgent.post('/me/responses/bulk', { items }))).toMatchObject({
      items: [{ item: null, error: { detail: expect.stringContaining(agentAnswers) } }],
    })
  })

  it('cannot get answers from others, with records or in imports', async () => {
    const { owner, path, agent } = await createTeam()
    const items = [{ fields: { text: 'x' }, responses: [{ user_id: agent.id, ...submitted }] }]
    for (const answer of [
      await owner.post(`${path}/records/bulk`, { items }),
      await owner.put(`${path}/records/bulk`, { items }),
    ])
      expect(answer).toMatchObject({
        status: 422,
        body: { detail: expect.stringContaining(`User with id=${agent.id} is an agent, and agents cannot have answers`) },
      })
  })

  it('cannot be assigned records, and are marked among assignees', async () => {
    const { owner, path, agent, ann, ids } = await createTeam()
    const assign = (users: readonly TestUser[]) =>
      owner.post<Job>(`${path}/assignments`, { record_ids: ids, user_ids: users.map(({ id }) => id) })
    expect(await assign([ann, agent])).toMatchObject({ status: 422, body: { detail: expect.stringContaining(agent.username) } })
    must(await assign([ann]))
    must(await mark(ann))
    expect(must(await owner.get(`${path}/assignments`))).toMatchObject({
      items: [{ user: { username: ann.username }, can_answer: false, assigned: 2 }],
    })
  })

  it('can only propose final answers, and never replace those of others', async () => {
    const team = await createTeam()
    const { agent, put, cyd, owner, path } = team
    await team.answers(0, 'yes', 'no')
    expect(await put(0, {}, agent)).toMatchObject({ status: 422, body: { detail: expect.stringContaining('only propose') } })
    expect(must(await put(0, { final: false }, agent))).toMatchObject({ final: false, by: { username: agent.username } })
    const changed = { final: false, base_version: 1, values: { label: { value: 'no', source: 'adjudicated' } } } as const
    expect(must(await put(0, changed, agent)).version).toBe(2)
    expect(await team.found('started')).toEqual([0])
    must(await owner.put(`${path}/review-settings`, { mode: 'disagreements', reviewers: [cyd.id] }))
    // The final answer is attributed to the person who confirms the proposal.
    const confirmed = must(await put(0, { base_version: 2, values: changed.values }, cyd))
    expect(confirmed).toMatchObject({ final: true, values: { label: { value: 'no', by: { username: cyd.username } } } })
    const other = { status: 422, body: { detail: expect.stringContaining('has final answers that the agent has not proposed') } }
    expect(await put(0, { ...changed, base_version: 3 }, agent)).toMatchObject(other)
    expect(must(await put(0, { final: false, base_version: 3 }, cyd)).final).toBe(false)
    expect(await put(0, { ...changed, base_version: 4 }, agent)).toMatchObject(other)
    expect(await team.as(agent).post(`${path}/gold/jobs`, { search: {}, rule: 'unanimous' })).toMatchObject({ status: 403 })
  })

  it('do what else their role permits', async () => {
    const { asAgent, ids, path } = await createTeam()
    const { items } = must(await asAgent.get<{ items: { id: string; name: string }[] }>(`${path}/questions`))
    const question_id = items.find(({ name }) => name === 'label')?.id
    expect((await asAgent.put(`/records/${ids[0]}/suggestions`, { question_id, value: 'yes' })).status).toBe(201)
    expect((await asAgent.post(`/records/${ids[0]}/comments`, { text: 'Is this irony?' })).status).toBe(201)
  })
})
