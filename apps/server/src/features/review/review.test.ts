import type { Gold } from '@postil/contract/gold.ts'
import type { History } from '@postil/contract/history.ts'
import type { GoldInput, ReviewQueueResult, ReviewSettingsInput } from '@postil/contract/review.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { createReviewTeam, type ReviewTeam, valuesOf } from './testing/review-team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

const createTeam = (...args: [count: number, settings?: ReviewSettingsInput]) => createReviewTeam(server, ...args)
const placesOf = ({ ids }: ReviewTeam, { items }: ReviewQueueResult) => items.map(({ record_id }) => ids.indexOf(record_id))

describe('the comparison', () => {
  it('groups equal answers, and names who gave them', async () => {
    const team = await createTeam(1)
    const [ofAnn, ofBob] = await team.answers(0, 'yes', 'no')
    const ofCyd = await team.answer(team.cyd, 0, 'no')
    const { id: question_id } = must(
      await team.owner.get<{ items: { id: string; name: string }[] }>(`${team.path}/questions`),
    ).items.find(({ name }) => name === 'label')!
    must(await team.owner.put(`/records/${team.ids[0]}/suggestions`, { question_id, value: 'yes' }))
    const { questions, submitted, gold, answers } = await team.compare(0)
    const by = (user: TestUser) => ({ id: user.id, username: user.username })
    expect({ submitted, gold }).toEqual({ submitted: 3, gold: null })
    expect(questions).toEqual([
      {
        name: 'label',
        groups: [
          { value: 'no', count: 2, users: [by(team.bob), by(team.cyd)], suggested: false },
          { value: 'yes', count: 1, users: [by(team.ann)], suggested: true },
        ],
        without: 0,
        agreement: 1 / 3,
      },
      { name: 'note', groups: [], without: 3, agreement: null },
    ])
    expect(answers).toEqual([
      { id: ofAnn.id, version: 1, by: by(team.ann), groups: { label: 1 } },
      { id: ofBob.id, version: 1, by: by(team.bob), groups: { label: 0 } },
      { id: ofCyd.id, version: 1, by: by(team.cyd), groups: { label: 0 } },
    ])
  })

  it('hides names from reviewers who are annotators, if the settings say so', async () => {
    const team = await createTeam(1)
    await team.answers(0, 'yes', 'no')
    const settings = { mode: 'disagreements', reviewers: [team.cyd.id], names: 'hidden' }
    must(await team.owner.put(`${team.path}/review-settings`, settings))
    const usersSeenBy = async (user: TestUser) => {
      const { questions, answers } = await team.compare(0, user)
      const named = answers.filter(({ by }) => by !== null)
      const users = questions[0]?.groups.flatMap((group) => group.users) ?? []
      expect(named).toHaveLength(users.length)
      return users
    }
    expect(await usersSeenBy(team.cyd)).toEqual([])
    expect(await usersSeenBy(server.owner as TestUser)).toHaveLength(2)
  })
})

describe('final answers', () => {
  it('are a filter of everyone’s records, not of one’s own', async () => {
    const team = await createReviewTeam(server, 4)
    for (const [i, value] of ['yes', 'no', 'yes'].entries())
      must(await team.put(i, { values: { label: { value, source: 'adjudicated' } }, final: i !== 2 }))
    const search = (user: TestUser, path: string, values: readonly string[], extra: object = {}) =>
      team.as(user).post<{ items: { record: { id: string } }[] }>(`${path}/records/search`, {
        filters: {
          and: [{ type: 'terms', scope: { entity: 'record', property: 'final_answer', question: 'label', ...extra }, values }],
        },
      })
    const found = async (...values: string[]) =>
      must(await search(server.owner as TestUser, team.path, values)).items.map(({ record }) => team.ids.indexOf(record.id))
    expect(await found('yes')).toEqual([0])
    expect((await found('yes', 'no')).sort()).toEqual([0, 1])
    expect(await found('maybe')).toEqual([])
    expect(await search(server.owner as TestUser, team.path, ['yes'], { question: null })).toMatchObject({ status: 422 })
    expect(await search(team.ann, `/me${team.path}`, ['yes'])).toMatchObject({ status: 422 })
  })
})

describe('the review queue', () => {
  it('assigns the records with the lowest agreement, each to one reviewer', async () => {
    const team = await createTeam(5, { mode: 'disagreements', needs: 2 })
    await team.answers(0, 'yes', 'yes')
    await team.answers(1, 'yes', 'no')
    await team.answer(team.cyd, 1, 'no')
    await team.answers(2, 'yes', 'no')
    await team.answers(3, 'no', 'yes')
    await team.answer(team.ann, 4, 'yes')
    const admin = await server.createUser({ role: 'admin', workspaces: [team.workspace_id] })
    const first = await team.take(undefined, { limit: 2 })
    expect([placesOf(team, first), first.left, first.more]).toEqual([[2, 3], 3, false])
    expect(placesOf(team, await team.take(undefined, { limit: 2 }))).toEqual([2, 3])
    expect(placesOf(team, await team.take(admin))).toEqual([1])
    must(await team.owner.delete(`/me${team.path}/review-queue?ids=${team.ids[3]}`))
    expect(placesOf(team, await team.take(admin))).toEqual([3, 1])
    expect(placesOf(team, await team.take(undefined, { exclude: [team.ids[2]] }))).toEqual([])
  })

  it('never assigns a record to a reviewer who has answered it, unless the settings allow it', async () => {
    const settings = { mode: 'disagreements', own_answers: false } as const
    const team = await createTeam(2, settings)
    must(await team.owner.put(`${team.path}/review-settings`, { ...settings, reviewers: [team.ann.id, team.cyd.id] }))
    await team.answers(0, 'yes', 'no')
    expect(placesOf(team, await team.take(team.ann))).toEqual([])
    expect(await team.put(0, {}, team.ann)).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('someone else') },
    })
    must(await team.owner.put(`${team.path}/review-settings`, { ...settings, reviewers: [team.ann.id], own_answers: true }))
    expect(placesOf(team, await team.take(team.ann))).toEqual([0])
    expect((await team.put(0, {}, team.ann)).status).toBe(200)
  })

  it('assigns all records, or a fixed sample of them, depending on the mode', async () => {
    const team = await createTeam(40, { mode: 'all', needs: 1 })
    for (let i = 0; i < 40; i += 1) await team.answer(team.ann, i, 'yes')
    expect((await team.take()).left).toBe(40)
    const sampled = async (sample: number) => {
      must(await team.owner.put(`${team.path}/review-settings`, { mode: 'sample', sample, needs: 1 }))
      return (await team.take()).left
    }
    expect(await sampled(0)).toBe(0)
    const half = await sampled(0.5)
    expect(half).toBeGreaterThan(5)
    expect(half).toBeLessThan(35)
    expect(await sampled(0.5)).toBe(half)
    expect(await sampled(1)).toBe(40)
    must(await team.owner.put(`${team.path}/review-settings`, { mode: 'off' }))
    expect(await team.take()).toEqual({ items: [], left: 0, more: false })
  })

  it('compares agreement with the threshold of the question', async () => {
    const team = await createTeam(1, { mode: 'disagreements', below: { label: 0.2 } })
    await team.answers(0, 'yes', 'no')
    await team.answer(team.cyd, 0, 'no')
    expect((await team.take()).left).toBe(0)
    must(await team.owner.put(`${team.path}/review-settings`, { mode: 'disagreements', below: { label: 0.5 } }))
    expect((await team.take()).left).toBe(1)
  })
})

describe('final answers', () => {
  it('are stored once, with history, and end the review', async () => {
    const team = await createTeam(2)
    await team.answers(0, 'yes', 'no')
    expect(placesOf(team, await team.take())).toEqual([0])
    const body = {
      mutation_id: crypto.randomUUID(),
      values: { label: { value: 'no', source: 'majority', reason: 'slip', note: 'see rule 3' } },
    } as const
    const stored = must(await team.put(0, body))
    const owner = { id: server.owner.id, username: 'owner' }
    expect(stored).toMatchObject({
      version: 1,
      final: true,
      stale: false,
      values: { label: { value: 'no', source: 'majority', reason: 'slip', note: 'see rule 3' } },
    })
    expect(stored.values['label']?.by.id).toBe(owner.id)
    expect(must(await team.put(0, body))).toEqual(stored)
    expect((await team.compare(0)).gold).toEqual(stored)
    expect((await team.take()).left).toBe(0)
    const second = must(await team.put(0, { base_version: 1, final: false }))
    expect(second).toMatchObject({ version: 2, final: false })
    // A late repeat of the first request
    expect(must(await team.put(0, body))).toMatchObject({ version: 1 })
    expect((await team.compare(0)).gold).toEqual(second)
    expect((await team.take()).left).toBe(1)
    const { items } = must(await team.owner.get<History>(`/records/${team.ids[0]}/history`))
    expect(items).toMatchObject([{ subject: 'gold', action: 'update', before: { version: 1 } }])
    const restore = await team.owner.post<{ gold: Gold }>(`/records/${team.ids[0]}/history/${items[0]?.id}/restore`, {})
    expect(must(restore).gold).toMatchObject({ version: 3, final: true, values: { label: { value: 'no' } } })
    expect(await recount(server.app.ctx)).toEqual([])
  })

  it('are refused if someone else has changed them, and the response says how', async () => {
    const team = await createTeam(1)
    await team.answers(0, 'yes', 'no')
    must(await team.put(0))
    const late = await team.put(0, { values: { label: { value: 'no', source: 'adjudicated' } } })
    expect(late).toMatchObject({ status: 409, body: { gold: { version: 1, values: { label: { value: 'yes' } } } } })
  })

  it('need a valid value for every required question', async () => {
    const team = await createTeam(1)
    const statusOf = async (body: Partial<GoldInput>) => (await team.put(0, body)).status
    expect(await statusOf({ values: {} })).toBe(422)
    expect(await statusOf({ values: { label: { value: 'maybe', source: 'adjudicated' } } })).toBe(422)
    expect(await statusOf({ values: { other: { value: 'yes', source: 'adjudicated' } } })).toBe(422)
    expect(await statusOf({ values: {}, final: false })).toBe(200)
  })

  it('become stale when an answer they are based on or the fields change', async () => {
    const team = await createTeam(4)
    for (let i = 0; i < 4; i += 1) await team.answers(i, 'yes', 'no')
    const answer = await team.answer(team.cyd, 3, 'no', 'draft')
    for (let i = 0; i < 4; i += 1) must(await team.put(i))
    expect(await team.found('final')).toEqual([0, 1, 2, 3])
    // An equal answer, and an answer that the reviewer hasn't seen, change nothing
    must(
      await team
        .as(team.ann)
        .post('/me/responses/bulk', { items: [{ record_id: team.ids[0], status: 'submitted', values: valuesOf('yes') }] }),
    )
    must(await team.as(team.cyd).put(`/responses/${answer.id}`, { status: 'submitted', values: valuesOf('no') }))
    expect(await team.found('stale')).toEqual([])
    must(
      await team
        .as(team.ann)
        .post('/me/responses/bulk', { items: [{ record_id: team.ids[1], status: 'submitted', values: valuesOf('no') }] }),
    )
    must(await team.owner.patch(`/records/${team.ids[2]}`, { metadata: {} }))
    expect(await team.found('stale')).toEqual([1])
    must(await team.owner.put(`${team.path}/records/bulk`, { items: [{ id: team.ids[2], fields: { text: 'another text' } }] }))
    expect(await team.found('stale')).toEqual([1, 2])
    // The queue also contains record 1, whose answers agree now.
    expect(placesOf(team, await team.take())).toEqual([1, 2])
    must(await team.put(2, { base_version: 1 }))
    expect(await team.found('stale')).toEqual([1])
    expect(await team.found('none', 'final')).toEqual([0, 2, 3])
  })

  it('stay when a user who answered or reviewed is deleted', async () => {
    const team = await createTeam(1)
    const admin = await server.createUser({ role: 'admin', workspaces: [team.workspace_id] })
    await team.answers(0, 'yes', 'no')
    must(await team.put(0, {}, admin))
    must(await team.owner.delete(`/users/${team.ann.id}`))
    must(await team.owner.delete(`/users/${admin.id}`))
    expect((await team.compare(0)).gold).toMatchObject({
      stale: false,
      by: { id: admin.id, username: null },
      values: { label: { value: 'yes' } },
    })
  })

  it('are deleted with their record and dataset', async () => {
    const team = await createTeam(2)
    for (const i of [0, 1]) await team.answers(i, 'yes', 'no')
    for (const i of [0, 1]) must(await team.put(i))
    must(await team.owner.delete(`/records/${team.ids[0]}`))
    expect(await team.found('final', 'stale', 'started')).toEqual([1])
    must(await team.owner.delete(team.path))
  })
})

describe('the review settings', () => {
  it('refuse unknown questions, questions without agreement, and people outside the workspace', async () => {
    const team = await createTeam(1)
    const put = (settings: ReviewSettingsInput) => team.owner.put<{ detail: string }>(`${team.path}/review-settings`, settings)
    const outside = await server.createUser({})
    expect(await put({ below: { other: 0.5 } })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('other') },
    })
    expect(await put({ below: { note: 0.5 } })).toMatchObject({ status: 422, body: { detail: expect.stringContaining('note') } })
    expect(await put({ reviewers: [outside.id] })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining(outside.id) },
    })
  })

  it('say who can review, and hide the reviewers from annotators', async () => {
    const team = await createTeam(1)
    must(await team.owner.put(`${team.path}/review-settings`, { mode: 'all', reviewers: [team.cyd.id] }))
    const seenBy = async (user: TestUser) => must(await team.as(user).get(`${team.path}/review-settings`))
    expect(await seenBy(team.cyd)).toMatchObject({ mode: 'all', reviewers: [], can_review: true })
    expect(await seenBy(team.bob)).toMatchObject({ can_review: false })
    expect(await seenBy(server.owner as TestUser)).toMatchObject({ reviewers: [{ id: team.cyd.id }], can_review: true })
    for (const answer of [
      await team.as(team.bob).get(`/records/${team.ids[0]}/comparison`),
      await team.put(0, {}, team.bob),
      await team.as(team.bob).post(`/me${team.path}/review-queue`, {}),
    ]) {
      expect(answer.status).toBe(403)
    }
  })
})
