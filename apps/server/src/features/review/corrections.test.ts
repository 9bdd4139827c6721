import type { CorrectionsPage } from '@postil/contract/corrections.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { createReviewTeam, type ReviewTeam, valuesOf } from './testing/review-team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

const correctionsOf = async (team: ReviewTeam, user: TestUser, query = '') =>
  must(await team.as(user).get<CorrectionsPage>(`/me${team.path}/corrections${query}`))
/** The indexes of the corrected records in `team.ids`. */
const placesOf = async (team: ReviewTeam, user: TestUser, query = '') =>
  (await correctionsOf(team, user, query)).items.map(({ record }) => team.ids.indexOf(record.id))

it('GET /me/datasets/{id}/corrections lists own answers that differ from the final answers, with the reason', async () => {
  const team = await createReviewTeam(server, 4)
  const { ann, bob } = team
  for (const i of [0, 1, 2]) await team.answers(i, 'yes', 'no')
  await team.answer(ann, 3, 'no', 'draft')
  expect(await correctionsOf(team, ann)).toEqual({ items: [], next: null })
  const decide = (i: number, value: string, body: object = {}) =>
    team.put(i, { values: { label: { value, source: 'adjudicated', reason: 'slip', note: 'Irony' } }, ...body })
  must(await decide(0, 'no'))
  must(await decide(1, 'yes'))
  must(await decide(2, 'no', { final: false }))
  must(await decide(3, 'yes'))
  const { items, next } = await correctionsOf(team, ann)
  const by = { id: server.owner.id, username: server.owner.username }
  expect(next).toBeNull()
  expect(items).toEqual([
    {
      record: expect.objectContaining({
        id: team.ids[0],
        responses: [expect.objectContaining({ user_id: ann.id, values: valuesOf('yes') })],
      }),
      questions: [{ name: 'label', value: 'yes', final: 'no', reason: 'slip', note: 'Irony', by, at: expect.any(String) }],
    },
  ])
  expect(items[0]?.record).not.toHaveProperty('gold')
  expect(await placesOf(team, bob)).toEqual([1])
  expect(await placesOf(team, server.owner as TestUser)).toEqual([])
})

it('corrections leave out final answers that are out of date, and names that are hidden', async () => {
  const team = await createReviewTeam(server, 2, { mode: 'all', names: 'hidden' })
  const { ann } = team
  for (const i of [0, 1]) await team.answers(i, 'yes', 'yes')
  const final = {
    values: { label: { value: 'no', source: 'adjudicated' as const }, note: { value: 'x', source: 'adjudicated' as const } },
  }
  for (const i of [0, 1]) must(await team.put(i, final))
  const { items } = await correctionsOf(team, ann)
  expect(items[0]?.questions.map(({ name, value, by }) => ({ name, value, by }))).toEqual([
    { name: 'label', value: 'yes', by: null },
    { name: 'note', value: null, by: null },
  ])
  expect(await placesOf(team, ann)).toEqual([1, 0])
  must(await team.owner.patch(`/records/${team.ids[1]}`, { fields: { text: 'changed' } }))
  expect(await placesOf(team, ann)).toEqual([0])
  await team.as(ann).put(`/records/${team.ids[0]}/responses/mine`, {
    mutation_id: crypto.randomUUID(),
    base_version: 1,
    status: 'submitted',
    values: { ...valuesOf('no'), note: { value: 'x' } },
  })
  expect(await placesOf(team, ann)).toEqual([])
})

it('pages of corrections contain each correction once', async () => {
  const team = await createReviewTeam(server, 7)
  for (const i of team.ids.keys()) {
    await team.answers(i, i % 2 === 0 ? 'no' : 'yes', 'no')
    must(await team.put(i))
  }
  const found: number[] = []
  for (let next: number | null = 0; next !== null; ) {
    const page = await correctionsOf(team, team.ann, `?limit=2&offset=${next}`)
    expect(page.items.length).toBeLessThanOrEqual(2)
    found.push(...page.items.map(({ record }) => team.ids.indexOf(record.id)))
    next = page.next
  }
  expect(found).toEqual([6, 4, 2, 0])
  expect((await team.as(team.ann).get(`/me${team.path}/corrections?limit=51`)).status).toBe(422)
  const stranger = await server.createUser()
  expect((await team.as(stranger).get(`/me${team.path}/corrections`)).status).toBe(403)
})
