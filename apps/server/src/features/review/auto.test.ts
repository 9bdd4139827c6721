import type { ReviewSettingsInput } from '@postil/contract/review.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { createReviewTeam, valuesOf } from './testing/review-team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(async () => {
  expect(await recount(server.app.ctx)).toEqual([])
  await server.close()
})

const unanimous: ReviewSettingsInput = { mode: 'all', auto: { unanimous: true } }

/** Creates a team whose records are complete after two answers. */
const createTeam = async (count: number, settings = unanimous) => {
  const team = await createReviewTeam(server, count, settings)
  const goldOf = async (i: number) => (await team.compare(i)).gold
  return { ...team, goldOf, valueOf: async (i: number) => (await goldOf(i))?.values['label']?.value ?? null }
}

it('stores unanimous answers when an answer completes a record', async () => {
  const team = await createTeam(3)
  await team.answer(team.ann, 0, 'yes')
  expect(await team.goldOf(0)).toBe(null)
  await team.answer(team.bob, 0, 'yes')
  expect(await team.goldOf(0)).toMatchObject({
    final: true,
    stale: false,
    version: 1,
    by: { id: server.owner.id },
    values: { label: { value: 'yes', source: 'unanimous' } },
  })
  await team.answers(1, 'yes', 'no')
  expect(await team.goldOf(1)).toBe(null)
  // Unlike the other records, this one waits for a review.
  expect((await team.take()).items.map(({ record_id }) => record_id)).toEqual([team.ids[1]])
  // A draft completes nothing
  await team.answer(team.ann, 2, 'no')
  await team.answer(team.bob, 2, 'no', 'draft')
  expect(await team.goldOf(2)).toBe(null)
})

it('stores answers of the majority, and never breaks a tie', async () => {
  const team = await createTeam(3, { mode: 'all', auto: { majority: { share: 0.6 } } })
  must(await team.owner.patch(team.path, { distribution: { strategy: 'overlap', min_submitted: 3 } }))
  for (const i of [0, 1]) await team.answers(i, 'yes', 'no')
  await team.answer(team.cyd, 0, 'no')
  expect(await team.goldOf(0)).toMatchObject({ final: true, values: { label: { value: 'no', source: 'majority' } } })
  must(await team.owner.put(`${team.path}/review-settings`, { mode: 'all', auto: { majority: { share: 0.7 } } }))
  await team.answer(team.cyd, 1, 'no')
  expect(await team.goldOf(1)).toBe(null)
})

it('keeps finished reviews and decisions of reviewers, and stales what changes later', async () => {
  const team = await createTeam(3)
  must(await team.put(0, { values: { label: { value: 'no', source: 'adjudicated' } } }))
  must(await team.put(1, { values: { label: { value: 'no', source: 'adjudicated' } }, final: false }))
  must(await team.put(2, { values: {}, final: false }))
  // The finished review of the first record leaves the note empty, although both people gave the same note.
  const values = { ...valuesOf('yes'), note: { value: 'same' } }
  for (const user of [team.ann, team.bob])
    must(await team.as(user).post(`/records/${team.ids[0]}/responses`, { status: 'submitted', values }))
  for (const i of [1, 2]) await team.answers(i, 'yes', 'yes')
  expect([await team.valueOf(0), await team.valueOf(1), await team.valueOf(2)]).toEqual(['no', 'no', 'yes'])
  expect(await team.goldOf(0)).toMatchObject({ version: 1 })
  expect(await team.goldOf(2)).toMatchObject({ version: 2, final: true })
  const change = { items: [{ record_id: team.ids[2], status: 'submitted', values: valuesOf('no') }] }
  must(await team.as(team.bob).post('/me/responses/bulk', change))
  expect(await team.goldOf(2)).toMatchObject({ version: 2, stale: true, values: { label: { value: 'yes' } } })
})

it('works for answers in bulk requests and with records', async () => {
  const team = await createTeam(3)
  await team.answer(team.ann, 0, 'no')
  await team.answer(team.ann, 1, 'no')
  const items = [0, 1].map((i) => ({ record_id: team.ids[i], status: 'submitted', values: valuesOf('no') }))
  must(await team.as(team.bob).post('/me/responses/bulk', { items }))
  expect([await team.valueOf(0), await team.valueOf(1)]).toEqual(['no', 'no'])
  const responses = [team.ann, team.bob].map(({ id }) => ({ user_id: id, status: 'submitted', values: valuesOf('yes') }))
  must(await team.owner.put(`${team.path}/records/bulk`, { items: [{ id: team.ids[2], responses }] }))
  expect(await team.valueOf(2)).toBe('yes')
  const made = must(
    await team.owner.post<{ items: { id: string }[] }>(`${team.path}/records/bulk`, {
      items: [{ fields: { text: 'new' }, responses }],
    }),
  )
  const { gold } = must(await team.owner.get<{ gold: object | null }>(`/records/${made.items[0]?.id}/comparison`))
  expect(gold).toMatchObject({ final: true })
})

it('needs two equal answers to a question, unless one answer completes a record', async () => {
  const team = await createTeam(1)
  must(
    await team
      .as(team.ann)
      .post(`/records/${team.ids[0]}/responses`, { status: 'submitted', values: { ...valuesOf('yes'), note: { value: 'hm' } } }),
  )
  await team.answer(team.bob, 0, 'yes')
  expect(await team.goldOf(0)).toMatchObject({ final: false, values: { label: { value: 'yes' } } })
  const single = await createTeam(1)
  must(await single.owner.patch(single.path, { distribution: { strategy: 'overlap', min_submitted: 1 } }))
  await single.answer(single.ann, 0, 'no')
  expect(await single.goldOf(0)).toMatchObject({ final: true, values: { label: { value: 'no', source: 'accepted' } } })
})

it('is printed with its defaults, and stops when it is turned off', async () => {
  const team = await createTeam(1, { mode: 'all', auto: { majority: {} } })
  expect(must(await team.owner.get(`${team.path}/review-settings`))).toMatchObject({
    auto: { unanimous: false, majority: { min: 2, share: 0.5 } },
  })
  const off = must(await team.owner.put(`${team.path}/review-settings`, { mode: 'all' }))
  expect(off).toMatchObject({ auto: { unanimous: false, majority: null } })
  await team.answers(0, 'yes', 'yes')
  expect(await team.goldOf(0)).toBe(null)
})
