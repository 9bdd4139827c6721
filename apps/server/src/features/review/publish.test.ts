import type { Record } from '@postil/contract/records.ts'
import type { PrintedReviewSettings, ReviewSettingsInput } from '@postil/contract/review.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { createReviewTeam, valuesOf } from './testing/review-team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

const setActive = async (user: TestUser, active: boolean) =>
  must(await server.clientFor(server.owner).patch(`/users/${user.id}`, { active }))

/**
 * Creates a team whose first two records have been answered by two people. The review of the first record is finished. The review
 * of the second has begun.
 */
const createPublished = async () => {
  const team = await createReviewTeam(server, 3, { mode: 'all' })
  const publisher = await server.createUser({})
  await setActive(publisher, false)
  const set = (settings: ReviewSettingsInput, user = server.owner as TestUser) =>
    team.as(user).put<PrintedReviewSettings & { detail: string }>(`${team.path}/review-settings`, settings)
  for (const i of [0, 1]) await team.answers(i, 'yes', 'no')
  must(await team.put(0))
  must(await team.put(1, { final: false }))
  must(await set({ mode: 'all', publish_gold_as: publisher.username }))
  const list = async () => must(await team.owner.get<{ items: Record[] }>(`${team.path}/records?include=responses`)).items
  const published = async () =>
    (await list()).map(({ responses = [] }) => responses.filter(({ user_id }) => user_id === publisher.id))
  const counts = async () => {
    const { users, ...progress } = must(await team.owner.get<{ users?: unknown }>(`${team.path}/progress`))
    const people = must(await team.owner.get(`${team.path}/users/progress`))
    const agreement = must(await team.owner.get<{ questions: object[] }>(`${team.path}/agreement?fresh=true`)).questions
    const { status, n_submitted } = {
      status: (await list()).map((one) => one.status),
      n_submitted: (await team.compare(0)).submitted,
    }
    return { progress, users, people, agreement, status, n_submitted }
  }
  return { ...team, publisher, set, list, published, counts }
}

it('makes final answers readable as submitted answers of a user', async () => {
  const team = await createPublished()
  const [first = [], second, third] = await team.published()
  const stored = (await team.compare(0)).gold
  expect(first).toEqual([
    {
      id: first[0]?.id,
      record_id: team.ids[0],
      user_id: team.publisher.id,
      status: 'submitted',
      values: { label: { value: 'yes' } },
      version: 1,
      suggestion_outcomes: null,
      returned: null,
      gold: { stale: false },
      inserted_at: stored?.updated_at,
      updated_at: stored?.updated_at,
    },
  ])
  expect([second, third]).toEqual([[], []])
  expect((await team.list()).map(({ responses }) => responses?.length)).toEqual([3, 2, 0])
  const found = must(await team.owner.post<{ items: { record: Record }[] }>(`${team.path}/records/search?include=responses`, {}))
  expect(found.items.find(({ record }) => record.id === team.ids[0])?.record.responses).toContainEqual(first[0])
  expect(must(await team.owner.get<Record>(`/records/${team.ids[0]}`)).responses).toContainEqual(first[0])
  const file = await team.owner.get<string>(`${team.path}/records/download?format=jsonl`)
  expect(String(file.body)).toContain(team.publisher.id)
  expect((await team.owner.get(`/responses/${first[0]?.id}`)).status).toBeGreaterThanOrEqual(400)
  // Changes an answer on which the final answers are based
  must(
    await team
      .as(team.ann)
      .post('/me/responses/bulk', { items: [{ record_id: team.ids[0], status: 'submitted', values: valuesOf('no') }] }),
  )
  expect((await team.published())[0]).toMatchObject([{ gold: { stale: true } }])
  // Annotators see neither the answer nor the setting
  const own = must(
    await team.as(team.ann).post<{ items: { record: Record }[] }>(`/me${team.path}/records/search?include=responses`, {}),
  )
  expect(own.items.flatMap(({ record }) => record.responses ?? []).map(({ user_id }) => user_id)).toEqual([
    team.ann.id,
    team.ann.id,
  ])
  expect(must(await team.as(team.ann).get(`${team.path}/review-settings`))).toMatchObject({ publish_gold_as: null })
  expect(must(await team.owner.get(`${team.path}/review-settings`))).toMatchObject({
    publish_gold_as: team.publisher.username,
  })
})

it('counts published answers nowhere, even if a client sends them back', async () => {
  const team = await createPublished()
  const counts = await team.counts()
  const items = (await team.list()).map(({ id, fields, responses = [] }) => ({
    id,
    fields,
    metadata: { source: 'read' },
    responses: responses.map(({ user_id, status, values }) => ({ user_id, status, values })),
  }))
  must(await team.owner.put(`${team.path}/records/bulk`, { items: items.map(({ metadata: _, ...item }) => item) }))
  const answers = { label: { value: 'no' } }
  const added = [{ user_id: team.publisher.id, status: 'submitted', values: answers }]
  must(await team.owner.put(`${team.path}/records/bulk`, { items: [{ id: team.ids[2], responses: added }] }))
  expect(await team.counts()).toEqual(counts)
  expect((await team.published()).map((one) => one.length)).toEqual([1, 0, 0])
  expect(await recount(server.app.ctx)).toEqual([])
  must(await team.set({ mode: 'all' }))
  expect(await team.counts()).toEqual(counts)
  expect((await team.published()).flat()).toEqual([])
})

it('publishes nothing while the user can sign in, or after the user is deleted', async () => {
  const team = await createPublished()
  await setActive(team.publisher, true)
  expect((await team.published()).flat()).toEqual([])
  await setActive(team.publisher, false)
  expect((await team.published()).flat()).toHaveLength(1)
  must(await team.owner.delete(`/users/${team.publisher.id}`))
  expect((await team.published()).flat()).toEqual([])
  expect(must(await team.owner.get(`${team.path}/review-settings`))).toMatchObject({ publish_gold_as: null })
})

it('refuses users who do not exist, can sign in, or have answered', async () => {
  const team = await createPublished()
  const refused = async (username: string) => {
    const { status, body } = await team.set({ mode: 'all', publish_gold_as: username })
    expect(status).toBe(422)
    expect(body.detail).toContain(username)
    return body.detail
  }
  expect(await refused('nobody at all')).toContain('no user')
  expect(await refused(team.bob.username)).toContain('sign in')
  await setActive(team.bob, false)
  expect(await refused(team.bob.username)).toContain('has answered')
  expect(must(await team.owner.get(`${team.path}/review-settings`))).toMatchObject({
    publish_gold_as: team.publisher.username,
  })
})
