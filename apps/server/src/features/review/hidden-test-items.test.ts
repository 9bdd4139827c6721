import type { BulkAnswerJob } from '@postil/contract/bulk-answers.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { MyMetrics } from '@postil/contract/progress.ts'
import type { QueueResult } from '@postil/contract/queue.ts'
import type { SchemaPlan, SchemaVersion } from '@postil/contract/schema-versions.ts'
import type { TestResults } from '@postil/contract/test-items.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { detail } from '@postil/testkit/detail.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { type CheckedTeam, checks, createCheckedTeam, work } from './testing/checked-team.ts'
import { valuesOf } from './testing/review-team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(async () => {
  expect(await recount(server.app.ctx)).toEqual([])
  await server.close()
})

/** A team whose third person has answered two records and then got a test item from the queue. */
const withOpenTest = async (decided = 1, open = 6) => {
  const team = await createCheckedTeam(server, decided, open)
  await work(team, 2)
  const { items, kinds } = await team.queue()
  expect(kinds).toEqual(['test'])
  const cyd = team.as(team.cyd)
  const terms = (scope: object, ...values: string[]) => ({ type: 'terms', scope, values })
  return {
    ...team,
    test: items[0]!.record.id,
    terms,
    search: (body: object, client = cyd) =>
      client.post<{ items: { record: { id: string; status: string } }[]; total: number }>(
        `/me${team.path}/records/search?limit=100`,
        body,
      ),
    metrics: async () => must(await cyd.get<MyMetrics>(`/me${team.path}/metrics`)),
  }
}
type TeamWithTest = Awaited<ReturnType<typeof withOpenTest>>

const recordStatus = { entity: 'record', property: 'status' }
const answerStatus = { entity: 'response', property: 'status' }

const foundBy = async (team: TeamWithTest, ...and: object[]) => {
  const { items, total } = must(await team.search({ filters: { and } }))
  expect(total).toBe(items.length)
  return items.map(({ record }) => record.id)
}

const finished = async (team: CheckedTeam, id: string, user = server.owner as TestUser) => {
  const { body } = await vi.waitFor(
    async () => {
      const job = await team.as(user).get<Job>(`/jobs/${id}`)
      expect(job.body.status).toBe('finished')
      return job
    },
    { timeout: 60_000, interval: 100 },
  )
  return body
}

describe('an open test item', () => {
  it('is pending in searches of its person, and completed in those of others', async () => {
    const team = await withOpenTest()
    const { test, terms } = team
    expect(await foundBy(team, terms(recordStatus, 'pending'))).toContain(test)
    expect(await foundBy(team, terms(recordStatus, 'completed'))).not.toContain(test)
    expect(await foundBy(team, terms(recordStatus, 'pending'), terms(answerStatus, 'pending'))).toContain(test)
    const sort = [{ scope: recordStatus, order: 'asc' }]
    const sorted = must(await team.search({ sort })).items.map(({ record }) => record.status)
    expect(sorted).toEqual([...sorted].sort())
    const all = must(
      await team.owner.post<{ items: { record: { id: string } }[] }>(`${team.path}/records/search`, {
        filters: { and: [terms(recordStatus, 'completed')] },
      }),
    )
    expect(all.items.map(({ record }) => record.id)).toContain(test)
    expect(await foundBy(team, terms(answerStatus, 'draft'))).toEqual([])
    must(await team.mine(test, { status: 'draft' }))
    expect(await foundBy(team, terms(answerStatus, 'draft'))).toEqual([test])
    expect(await foundBy(team, terms(recordStatus, 'pending'))).toContain(test)
    must(await team.mine(test, { base_version: 1 }))
    expect(await foundBy(team, terms(answerStatus, 'submitted'))).toHaveLength(3)
    expect(await foundBy(team, terms(recordStatus, 'completed'))).toContain(test)
    const since = { type: 'range', scope: { entity: 'response', property: 'updated_at' }, ge: '2020-01-01T00:00:00' }
    expect(await foundBy(team, since)).toContain(test)
  })

  it('cannot be recognized by its review, except by people who can review', async () => {
    const team = await withOpenTest()
    const filters = { and: [team.terms({ entity: 'record', property: 'review' }, 'final')] }
    expect(await team.search({ filters })).toMatchObject({ status: 422 })
    expect((await team.search({ filters }, team.owner)).body.total).toBe(1)
    must(await team.owner.put(`${team.path}/review-settings`, { mode: 'all', checks, reviewers: [team.cyd.id] }))
    expect((await team.search({ filters })).body.total).toBe(1)
  })

  it('counts like any other record in the metrics of its person', async () => {
    const team = await withOpenTest()
    const before = await team.metrics()
    expect(before.responses).toMatchObject({ submitted: 2, draft: 0, left: 5 })
    must(await team.mine(team.test, { status: 'draft' }))
    expect((await team.metrics()).responses).toMatchObject({ submitted: 2, draft: 1, left: 4 })
    must(await team.mine(team.test, { base_version: 1 }))
    const after = await team.metrics()
    expect(after.responses).toMatchObject({ submitted: 3, draft: 0, left: 4, pending: before.responses.pending - 1 })
    const home = must(await team.as(team.cyd).get<{ datasets: { dataset: { id: string }; metrics: object }[] }>('/me/home'))
    expect(home.datasets.find(({ dataset }) => dataset.id === team.dataset)?.metrics).toEqual(after.responses)
  })

  it('is left out of a queue without drafts once it has one, and counts toward the limit per person', async () => {
    const team = await withOpenTest(3, 6)
    must(await team.mine(team.test, { status: 'draft' }))
    expect((await team.queue({ drafts: false })).items.map(({ record }) => record.id)).not.toContain(team.test)
    expect((await team.queue({ drafts: true })).items.map(({ record }) => record.id)).toEqual([team.test])
    must(await team.owner.put(`${team.path}/queue-settings`, { max_per_person: 5 }))
    const listed = await team.queue({ limit: 10 })
    expect(listed).toMatchObject({ left: 3, cap: { most: 5, submitted: 2 } })
    expect(listed.items).toHaveLength(3)
    must(await team.mine(team.test, { base_version: 1 }))
    expect(await team.queue({ limit: 10 })).toMatchObject({ left: 2, cap: { most: 5, submitted: 3 } })
    await work(team, 10)
    expect(await team.queue({ limit: 10 })).toMatchObject({ items: [], left: 0, cap: { most: 5, submitted: 5 } })
  })
})

describe('an answer to a test item', () => {
  it('can be changed and deleted by its ID, by its author only', async () => {
    const team = await withOpenTest()
    const { body } = await team.mine(team.test, {})
    const path = `/responses/${body.id}`
    const cyd = team.as(team.cyd)
    const changed = { status: 'submitted', values: valuesOf('no') }
    expect(await team.as(team.ann).put(path, changed)).toMatchObject({ status: 404 })
    expect(await cyd.put(path, changed)).toMatchObject({ status: 200, body: { id: body.id, version: 2, values: valuesOf('no') } })
    expect((await team.results()).people[0]).toMatchObject({ score: { value: 0 } })
    expect(await cyd.delete(path)).toMatchObject({ status: 200, body: { id: body.id, version: 2 } })
    expect(await cyd.delete(path)).toMatchObject({ status: 404 })
    expect((await team.results()).people).toEqual([])
  })

  detail('is stored by bulk answers, and removed or restored when these are undone', async () => {
    const team = await withOpenTest()
    const before = await team.progress()
    const cyd = team.as(team.cyd)
    const path = `/me${team.path}/responses/bulk-jobs`
    const bulk = async (value: string, status = 'submitted') => {
      const search = { filters: { and: [team.terms({ entity: 'record', property: 'id' }, team.test)] } }
      const job = must(await cyd.post<Job>(path, { search, status, values: valuesOf(value), own_questions: [] }))
      return finished(team, job.id, team.cyd)
    }
    const undo = async ({ id }: Job) => finished(team, must(await cyd.post<Job>(`${path}/${id}/undo`)).id, team.cyd)
    const first = await bulk('no')
    expect(first.answers).toMatchObject({ stored: 1 })
    expect((await team.record(team.test)).responses).toMatchObject([{ values: valuesOf('no'), version: 1 }])
    expect((await team.record(team.test, server.owner as TestUser)).responses).toHaveLength(2)
    expect((await team.results()).people[0]).toMatchObject({ items: 1, score: { value: 0 } })
    const second = await bulk('yes')
    expect((await team.results()).people[0]).toMatchObject({ items: 1, score: { value: 1 } })
    await undo(second)
    expect((await team.record(team.test)).responses).toMatchObject([{ values: valuesOf('no'), version: 3 }])
    expect(await undo(first)).toMatchObject({ answers: { changed: 1 } })
    const third = await bulk('yes')
    must(await cyd.delete(`/responses/${(await team.record(team.test)).responses?.[0]?.id}`))
    expect(await undo(third)).toMatchObject({ answers: { changed: 1 } })
    await undo(await bulk('yes'))
    expect((await team.record(team.test)).responses).toEqual([])
    expect(await team.progress()).toEqual(before)
    expect(must(await cyd.get<{ items: BulkAnswerJob[] }>(path)).items).toHaveLength(8)
  })

  it('has the current labels after a label was merged or renamed, and the earlier ones after a revert', async () => {
    const team = await withOpenTest()
    must(await team.mine(team.test, { values: valuesOf('no') }))
    expect((await team.results()).people[0]).toMatchObject({ score: { value: 0 } })
    const { items: questions } = must(await team.owner.get<{ items: { id: string; name: string }[] }>(`${team.path}/questions`))
    const question_id = questions.find(({ name }) => name === 'label')!.id
    const apply = async (change: object) => {
      const plan = must(await team.owner.post<SchemaPlan>(`${team.path}/schema/plan`, { changes: [{ question_id, ...change }] }))
      const version = must(await team.owner.post<SchemaVersion>(`${team.path}/schema/apply`, { token: plan.token }))
      if (version.job !== null) await finished(team, version.job.id)
      return version
    }
    const shown = async () => (await team.record(team.test)).responses?.[0]
    await apply({ type: 'add_label', value: 'maybe', text: 'Maybe' })
    const merged = await apply({ type: 'merge_labels', labels: ['no'], into: 'yes' })
    expect(await shown()).toMatchObject({ values: valuesOf('yes'), version: 1 })
    expect((await team.results()).people[0]).toMatchObject({ items: 1, score: { value: 1 } })
    expect(await recount(server.app.ctx)).toEqual([])
    const reverted = must(await team.owner.post<SchemaVersion>(`${team.path}/schema/${merged.no}/revert`))
    await finished(team, reverted.job!.id)
    expect(await shown()).toMatchObject({ values: valuesOf('no'), version: 1 })
    expect((await team.results()).people[0]).toMatchObject({ items: 1, score: { value: 0 } })
    await apply({ type: 'rename_label', label: 'no', value: 'never', text: 'Never' })
    expect(await shown()).toMatchObject({ values: valuesOf('never') })
    expect((await team.results()).people[0]).toMatchObject({ items: 1, score: { value: 0 } })
  })
})

detail('scores ratings again in a job when the tolerance changes', async () => {
  const options = [1, 2, 3, 4, 5].map((value) => ({ value }))
  const { id, workspace_id } = await server.createDataset({
    questions: [{ name: 'stars', required: true, settings: { type: 'rating', options } }],
  })
  const [ann, cyd] = [
    await server.createUser({ workspaces: [workspace_id] }),
    await server.createUser({ workspaces: [workspace_id] }),
  ]
  const owner = server.clientFor(server.owner)
  const items = Array.from({ length: 4 }, () => ({ fields: { text: 'text' } }))
  const made = must(await owner.post<{ items: { id: string }[] }>(`/datasets/${id}/records/bulk`, { items }))
  const answer = async (user: TestUser, record: string, stars: number) =>
    must(
      await server
        .clientFor(user)
        .post(`/records/${record}/responses`, { status: 'submitted', values: { stars: { value: stars } } }),
    )
  const [first] = made.items
  await answer(ann, first!.id, 4)
  const values = { stars: { value: 4, source: 'adjudicated' } }
  must(await owner.put(`/records/${first!.id}/gold`, { mutation_id: crypto.randomUUID(), base_version: null, values }))
  const setTolerance = async (tolerance: number) =>
    must(await owner.put(`/datasets/${id}/review-settings`, { mode: 'all', checks: { every: 2, tolerance } }))
  await setTolerance(0)
  for (let i = 0; i < 2; i += 1) {
    const { items: next } = must(
      await server.clientFor(cyd).post<QueueResult>(`/me/datasets/${id}/queue`, { limit: 1, drafts: true, purpose: 'work' }),
    )
    await answer(cyd, next[0]!.record.id, 3)
  }
  const score = async () => must(await owner.get<TestResults>(`/datasets/${id}/checks`)).people[0]?.score.value
  expect(await score()).toBe(0)
  await setTolerance(1)
  await vi.waitFor(async () => expect(await score()).toBe(1), { timeout: 30_000 })
  await setTolerance(0)
  await vi.waitFor(async () => expect(await score()).toBe(0), { timeout: 30_000 })
})
