import type { AnswerJobInput } from '@postil/contract/answer-jobs.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { DatasetProgress } from '@postil/contract/progress.ts'
import type { QueueResult } from '@postil/contract/queue.ts'
import type { Record as PrintedRecord } from '@postil/contract/records.ts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { bootFillingServer, type FillingServer } from '../filling/testing/filling-server.ts'

let filling: FillingServer
beforeAll(async () => {
  filling = await bootFillingServer()
})
afterEach(async () => expect(await recount(filling.server.app.ctx)).toEqual([]))
afterAll(() => filling.close())

/**
 * Creates a dataset whose records need three answers, and a team of four people. Each list in `labels` contains the answers of
 * three people to one record.
 */
const createTeam = async (labels: readonly (readonly (string | null)[])[]) => {
  const team = await filling.createTeam(labels)
  const { server } = filling
  const dan = await server.createUser({ workspaces: [team.workspace] })
  const path = `/datasets/${team.dataset}/answers/jobs`
  const start = async (body: Partial<AnswerJobInput>) =>
    must(await team.owner.post<Job>(path, { search: {}, change: 'request', ...body }))
  return {
    ...team,
    dan,
    tryStart: (body: object) => team.owner.post<Job>(path, { search: {}, change: 'request', ...body }),
    /** Requests answers, and waits until the job has ended. */
    request: async (body: Partial<AnswerJobInput> = {}) => {
      const job = await start(body)
      expect(await filling.steps()).toBe('finished')
      return team.current(job)
    },
    start,
    tryUndo: ({ id }: Job) => team.owner.post<Job>(`${path}/${id}/undo`),
    undo: async ({ id }: Job) => {
      const job = must(await team.owner.post<Job>(`${path}/${id}/undo`))
      expect(await filling.steps()).toBe('finished')
      return team.current(job)
    },
    state: async (i: number) => {
      const { status, extra_answers = 0 } = must(await team.owner.get<PrintedRecord>(`/records/${team.ids[i]}`))
      return [status, extra_answers]
    },
    progress: async () => must(await team.owner.get<DatasetProgress>(`/datasets/${team.dataset}/progress`)),
    queueOf: async (user = dan) => {
      const sent = { limit: 10, drafts: true, purpose: 'work' }
      const { items, left } = must(await server.clientFor(user).post<QueueResult>(`/me/datasets/${team.dataset}/queue`, sent))
      expect(left).toBe(items.length)
      return items.map(({ record }) => team.ids.indexOf(record.id)).sort((a, b) => a - b)
    },
    answer: async (user: typeof dan, i: number) =>
      must(
        await server
          .clientFor(user)
          .post(`/records/${team.ids[i]}/responses`, { status: 'submitted', values: { label: { value: 'no' } } }),
      ),
  }
}
const complete = ['yes', 'yes', 'yes']

it('makes completed records pending for people who have not answered them, until they have the answers', async () => {
  const team = await createTeam([complete, complete, ['yes', null, null]])
  expect(await team.progress()).toMatchObject({ completed: 2, answers: 7, answers_needed: 9, surplus: 0 })
  const search = { filters: { and: [{ type: 'terms', scope: { entity: 'record', property: 'status' }, values: ['completed'] }] } }
  const job = await team.request({ search: search as AnswerJobInput['search'] })
  expect(job.answers).toEqual({ stored: 2, moved: 2, invalid: 0, changed: 0, gone: 0 })
  expect(await Promise.all([0, 1, 2].map(team.state))).toEqual([
    ['pending', 1],
    ['pending', 1],
    ['pending', 0],
  ])
  expect(await team.progress()).toMatchObject({ completed: 0, answers: 7, answers_needed: 11, surplus: 0 })
  expect(await recount(filling.server.app.ctx)).toEqual([])
  expect(await team.queueOf(team.users[0])).toEqual([])
  expect(await team.queueOf()).toEqual([0, 1, 2])
  // Eve doesn't get record 0, because it needs only one more answer and Dan already has a lease on it.
  const eve = await filling.server.createUser({ workspaces: [team.workspace] })
  expect(await team.queueOf(eve)).toEqual([2])
  await team.answer(team.dan, 0)
  expect(await team.state(0)).toEqual(['completed', 1])
  expect(await team.progress()).toMatchObject({ completed: 1, answers: 8, answers_needed: 11, surplus: 0 })
  const { items } = must(
    await team.owner.post<{ items: { record: PrintedRecord }[] }>(`/datasets/${team.dataset}/records/search`, search),
  )
  expect(items.map(({ record }) => [record.id, record.extra_answers])).toEqual([[team.ids[0], 1]])
})

it('assigns a record to as many people as are needed, even if more people than the minimum hold it', async () => {
  const team = await createTeam([complete])
  await team.request({ answers: 4 })
  for (const expected of [[0], [0], [0], [0], []]) {
    const user = await filling.server.createUser({ workspaces: [team.workspace] })
    expect(await team.queueOf(user)).toEqual(expected)
  }
})

it('lets a review wait for the answer', async () => {
  const team = await createTeam([complete])
  must(await team.owner.put(`/datasets/${team.dataset}/review-settings`, { mode: 'all' }))
  const inReview = async () => {
    const path = `/me/datasets/${team.dataset}/review-queue`
    const { items } = must(await team.owner.post<{ items: object[] }>(path, { limit: 10 }))
    must(await team.owner.delete(path))
    return items.length
  }
  expect(await inReview()).toBe(1)
  await team.request()
  expect(await inReview()).toBe(0)
  await team.answer(team.dan, 0)
  expect(await inReview()).toBe(1)
})

it('counts in a dry run, and changes nothing', async () => {
  const team = await createTeam([complete, ['yes', null, null]])
  const job = await team.request({ answers: 2, dry_run: true })
  expect(job.answers).toEqual({ stored: 2, moved: 1, invalid: 0, changed: 0, gone: 0 })
  expect([await team.state(0), await team.state(1)]).toEqual([
    ['completed', 0],
    ['pending', 0],
  ])
  expect(await team.tryUndo(job)).toMatchObject({ status: 422 })
})

it('is undone once, without losing an answer or another request', async () => {
  const team = await createTeam([complete, complete, ['yes', 'yes', null]])
  const first = await team.request()
  const second = await team.request({ answers: 2 })
  await team.queueOf()
  await team.answer(team.dan, 0)
  expect(await team.state(0)).toEqual(['pending', 3])
  expect((await team.undo(second)).answers).toEqual({ stored: 3, moved: 1, invalid: 0, changed: 0, gone: 0 })
  expect(await Promise.all([0, 1, 2].map(team.state))).toEqual([
    ['completed', 1],
    ['pending', 1],
    ['pending', 1],
  ])
  expect(await team.tryUndo(second)).toMatchObject({ status: 422 })
  await team.undo(first)
  expect(await Promise.all([0, 1, 2].map(team.state))).toEqual([
    ['completed', 0],
    ['completed', 0],
    ['pending', 0],
  ])
  expect(await team.progress()).toMatchObject({ completed: 2, answers: 8, answers_needed: 9, surplus: 1 })
  expect(await team.queueOf()).toEqual([2])
})

it('resumes after the process is killed, and undoes only what was requested before it was canceled', async () => {
  const team = await createTeam(Array.from({ length: 60 }, () => complete))
  const job = await team.start({})
  expect(await filling.steps(1)).toBe('started')
  expect(await filling.steps()).toBe('finished')
  expect(await team.current(job)).toMatchObject({ done: 60, answers: { stored: 60, moved: 60 } })
  expect(await team.progress()).toMatchObject({ completed: 0 })
  const canceled = await team.start({})
  expect(await filling.steps(1)).toBe('started')
  must(await team.owner.post(`/jobs/${canceled.id}/cancel`))
  expect((await team.undo(canceled)).answers).toMatchObject({ stored: 50 })
  expect([await team.state(0), await team.state(59)]).toEqual([
    ['pending', 1],
    ['pending', 1],
  ])
})

it('never exceeds the maximum, and undoes only records that it has changed', async () => {
  const team = await createTeam([complete, complete])
  for (let i = 0; i < 10; i += 1) await team.request({ answers: 10, record_ids: [team.ids[0]!], search: null })
  expect(await team.state(0)).toEqual(['pending', 100])
  const job = await team.request({ answers: 10 })
  expect(job.answers).toEqual({ stored: 1, moved: 1, invalid: 1, changed: 0, gone: 0 })
  expect((await team.undo(job)).answers).toMatchObject({ stored: 1 })
  expect([await team.state(0), await team.state(1)]).toEqual([
    ['pending', 100],
    ['completed', 0],
  ])
})

it('keeps requests when records are deleted, answers return to their authors and the minimum is recomputed', async () => {
  const team = await createTeam([complete, complete])
  await team.request()
  must(await team.owner.delete(`/datasets/${team.dataset}/records?ids=${team.ids[0]}`))
  expect(await team.progress()).toMatchObject({ total: 1, answers: 3, answers_needed: 4 })
  await team.answer(team.dan, 1)
  const { responses } = must(await team.owner.get<PrintedRecord>(`/records/${team.ids[1]}`))
  must(await team.owner.delete(`/responses/${responses?.[0]?.id}`))
  expect(await team.state(1)).toEqual(['pending', 1])
})

it('refuses settings of other changes, and people who are not leads', async () => {
  const team = await createTeam([complete])
  for (const [body, key] of [
    [{ user_ids: [team.dan.id] }, 'user_ids'],
    [{ change: 'discard', dry_run: true }, 'dry_run'],
    [{ change: 'discard', answers: 2 }, 'answers'],
    [{ answers: 11 }, 'answers'],
  ] as const) {
    const refused = await team.tryStart(body)
    expect(refused).toMatchObject({ status: 422 })
    expect(JSON.stringify(refused.body)).toContain(key)
  }
  const asAnnotator = filling.server.clientFor(team.dan)
  expect(await asAnnotator.post(`/datasets/${team.dataset}/answers/jobs`, { search: {}, change: 'request' })).toMatchObject({
    status: 403,
  })
})
