import type { Gold } from '@postil/contract/gold.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { Comparison, GoldJobInput } from '@postil/contract/review.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { releaseAll } from '#features/jobs/testing/operations.ts'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { fillGold } from './job.ts'

let idle: IdleServer
beforeAll(async () => {
  idle = await bootIdleServer(new URL('../../jobs/testing/operations.ts', import.meta.url))
})
afterAll(async () => {
  expect(await recount(idle.server.app.ctx)).toEqual([])
  await idle.close()
})

const HOLD = 60_000_000
const store = () => idle.server.app.ctx.store
/** Runs steps of the oldest job. A process that dies between two steps leaves the job for the next one. */
const steps = async (max = Number.POSITIVE_INFINITY): Promise<string> => {
  await idle.tool.write(releaseAll, {})
  const [job] = await store().write(takeJobs, { kinds: [fillGold.kind], limit: 1, hold: HOLD })
  if (job === undefined) throw new Error('there is no job')
  let { until } = job
  for (let done = 1; ; done += 1) {
    const result = await store().write(fillGold.step, { id: job.id, until, hold: HOLD })
    if (result.state !== 'started' || done >= max) return result.state
    until = result.until
  }
}

const options = ['yes', 'no', 'maybe'].map((value) => ({ value, text: value }))
const questions = [
  { name: 'label', required: true, settings: { type: 'label_selection', options } },
  { name: 'note', settings: { type: 'text' } },
]

/** @param labels the answers of each record, by annotator */
const createTeam = async (labels: readonly (readonly string[])[]) => {
  const { id: dataset, workspace_id: workspace } = await idle.server.createDataset({
    questions,
    distribution: { strategy: 'overlap', min_submitted: 3 },
  })
  const users: TestUser[] = []
  while (users.length < 3) users.push(await idle.server.createUser({ workspaces: [workspace] }))
  const owner = idle.server.clientFor(idle.server.owner)
  const ids: string[] = []
  for (let from = 0; from < labels.length; from += 500) {
    const items = labels.slice(from, from + 500).map((given) => ({
      fields: { text: 'text' },
      responses: given.map((value, i) => ({
        user_id: users[i]?.id,
        status: 'submitted',
        values: { label: { value } },
      })),
    }))
    const made = must(await owner.post<{ items: { id: string }[] }>(`/datasets/${dataset}/records/bulk`, { items }))
    ids.push(...made.items.map(({ id }) => id))
  }
  const path = `/datasets/${dataset}/gold/jobs`
  const goldOf = async (i: number) => must(await owner.get<Comparison>(`/records/${ids[i]}/comparison`)).gold
  return {
    dataset,
    workspace,
    users,
    owner,
    ids,
    path,
    goldOf,
    start: async (body: Partial<GoldJobInput> = {}) =>
      must(await owner.post<Job>(path, { search: {}, rule: 'majority', ...body })),
    undo: async ({ id }: Job) => must(await owner.post<Job>(`${path}/${id}/undo`)),
    current: async ({ id }: Job) => must(await owner.get<Job>(`/jobs/${id}`)),
    review: async (i: number, value: string, base_version: number | null = null, final = true) =>
      must(
        await owner.put<Gold>(`/records/${ids[i]}/gold`, {
          mutation_id: crypto.randomUUID(),
          base_version,
          values: { label: { value, source: 'adjudicated' } },
          final,
        }),
      ),
    values: async () => {
      const found: (string | null)[] = []
      for (const i of ids.keys()) found.push(((await goldOf(i))?.values['label']?.value as string | undefined) ?? null)
      return found
    },
  }
}

const mixed = [['yes', 'yes', 'yes'], ['yes', 'no', 'no'], ['yes', 'no', 'maybe'], ['yes', 'no'], ['no'], []]

it('stores the answer of the majority, and never breaks a tie', async () => {
  const team = await createTeam(mixed)
  const job = await team.start()
  expect(await steps()).toBe('finished')
  expect(await team.current(job)).toMatchObject({ gold: { stored: 2, undecided: 4, kept: 0, gone: 0 }, done: 6, total: 6 })
  expect(await team.values()).toEqual(['yes', 'no', null, null, null, null])
  expect(await team.goldOf(0)).toMatchObject({
    final: true,
    values: { label: { source: 'unanimous', by: { id: idle.server.owner.id } } },
  })
  expect(await team.goldOf(1)).toMatchObject({ final: true, values: { label: { source: 'majority' } } })
})

it('stores only unanimous answers, or answers of the share and number that are asked for', async () => {
  const team = await createTeam(mixed)
  await team.start({ rule: 'unanimous', min: 1 })
  await steps()
  expect(await team.values()).toEqual(['yes', null, null, null, 'no', null])
  expect(await team.goldOf(4)).toMatchObject({ values: { label: { source: 'accepted' } } })
  await team.start({ share: 0.7 })
  await steps()
  expect(await team.values()).toEqual(['yes', null, null, null, 'no', null])
  await team.start({ min: 4 })
  await steps()
  expect((await team.values())[1]).toBe(null)
})

it('counts without storing anything in a dry run, which cannot be undone', async () => {
  const team = await createTeam(mixed)
  const job = await team.start({ dry_run: true })
  expect(await steps()).toBe('finished')
  expect(await team.current(job)).toMatchObject({ gold: { stored: 2, undecided: 4 } })
  expect(await team.values()).toEqual([null, null, null, null, null, null])
  expect((await team.owner.post(`${team.path}/${job.id}/undo`)).status).toBe(422)
})

it('keeps what a person has decided, and completes what a person has begun', async () => {
  const team = await createTeam([
    ['yes', 'yes'],
    ['yes', 'yes'],
    ['no', 'no'],
    ['no', 'no'],
  ])
  await team.review(0, 'no')
  await team.review(1, 'no', null, false)
  must(
    await team.owner.put(`/records/${team.ids[2]}/gold`, {
      mutation_id: crypto.randomUUID(),
      base_version: null,
      values: {},
      final: false,
    }),
  )
  const job = await team.start()
  must(await team.owner.delete(`/records/${team.ids[3]}`))
  await steps()
  expect(await team.current(job)).toMatchObject({ gold: { stored: 1, undecided: 1, kept: 1, gone: 1 } })
  expect(await team.goldOf(0)).toMatchObject({ version: 1, values: { label: { value: 'no' } } })
  expect(await team.goldOf(1)).toMatchObject({ version: 1, final: false, values: { label: { value: 'no' } } })
  expect(await team.goldOf(2)).toMatchObject({ version: 2, final: true, values: { label: { value: 'no', source: 'unanimous' } } })
})

it('leaves a record open as long as a question with answers is undecided', async () => {
  const team = await createTeam([['yes', 'yes']])
  for (const [i, user] of team.users.slice(0, 2).entries()) {
    const values = { label: { value: 'yes' }, note: { value: `note ${i}` } }
    must(
      await idle.server
        .clientFor(user)
        .post('/me/responses/bulk', { items: [{ record_id: team.ids[0], status: 'submitted', values }] }),
    )
  }
  await team.start()
  await steps()
  expect(await team.goldOf(0)).toMatchObject({ final: false, values: { label: { value: 'yes' } } })
})

it('continues after a kill, stores nothing twice, and can be undone except for records reviewed since', async () => {
  const team = await createTeam(Array.from({ length: 120 }, () => ['yes', 'yes']))
  await team.review(119, 'no', null, false)
  must(
    await team.owner.put(`/records/${team.ids[119]}/gold`, {
      mutation_id: crypto.randomUUID(),
      base_version: 1,
      values: {},
      final: false,
    }),
  )
  const job = await team.start()
  expect(await steps(1)).toBe('started')
  expect((await team.values()).filter((value) => value !== null)).toHaveLength(50)
  expect((await team.owner.post(`${team.path}/${job.id}/undo`)).status).toBe(422)
  expect(await steps()).toBe('finished')
  expect(await team.current(job)).toMatchObject({ gold: { stored: 120 }, done: 120 })
  for (const i of [0, 49, 50, 118]) expect((await team.goldOf(i))?.version).toBe(1)
  await team.review(3, 'no', 1)
  const undo = await team.undo(job)
  expect(await steps(1)).toBe('started')
  expect(await steps()).toBe('finished')
  expect(await team.current(undo)).toMatchObject({ gold: { stored: 119, undecided: 0, kept: 1, gone: 0 } })
  expect((await team.values()).flatMap((value, i) => (value === null ? [] : [[i, value]]))).toEqual([[3, 'no']])
  expect(await team.goldOf(119)).toMatchObject({ version: 4, final: false, values: {} })
  const filters = { and: [{ type: 'terms', scope: { entity: 'record', property: 'review' }, values: ['none'] }] }
  expect(must(await team.owner.post<{ total: number }>(`/datasets/${team.dataset}/records/search`, { filters })).total).toBe(119)
  expect((await team.owner.post(`${team.path}/${undo.id}/undo`)).status).toBe(422)
})

it('refuses annotators and unknown questions, and fails if its author can no longer review', async () => {
  const team = await createTeam([['yes', 'yes']])
  const body = { search: {}, rule: 'majority' }
  expect((await idle.server.clientFor(team.users[0]!).post(team.path, body)).status).toBe(403)
  expect(await team.owner.post(team.path, { ...body, questions: ['other'] })).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('other') },
  })
  const admin = await idle.server.createUser({ role: 'admin', workspaces: [team.workspace] })
  const job = must(await idle.server.clientFor(admin).post<Job>(team.path, body))
  must(await team.owner.delete(`/workspaces/${team.workspace}/users/${admin.id}`))
  expect(await steps()).toBe('failed')
  expect(await team.current(job)).toMatchObject({ reason: expect.stringContaining('can no longer review') })
  expect(await team.values()).toEqual([null])
})
