import type { Job } from '@postil/contract/jobs.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { bootFillingServer, type FillingServer } from './testing/filling-server.ts'

let filling: FillingServer
beforeAll(async () => {
  filling = await bootFillingServer()
})
afterAll(() => filling.close())
const steps: FillingServer['steps'] = (max) => filling.steps(max)
const createTeam: FillingServer['createTeam'] = (labels) => filling.createTeam(labels)

const mixed = [['yes', 'yes', 'yes'], ['yes', 'no', 'no'], ['yes', 'no', 'maybe'], ['yes', 'no'], ['no'], []]

it('stores the answer of the majority, and never breaks a tie', async () => {
  const team = await createTeam(mixed)
  const job = await team.start()
  expect(await steps()).toBe('finished')
  expect(await team.current(job)).toMatchObject({ gold: { stored: 2, undecided: 4, kept: 0, gone: 0 }, done: 6, total: 6 })
  expect(await team.values()).toEqual(['yes', 'no', null, null, null, null])
  expect(await team.goldOf(0)).toMatchObject({
    final: true,
    values: { label: { source: 'unanimous', by: { id: filling.server.owner.id } } },
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
  for (const user of [0, 1]) await team.answer(user, 0, { label: { value: 'yes' }, note: { value: `note ${user}` } })
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
  expect((await filling.server.clientFor(team.users[0]!).post(team.path, body)).status).toBe(403)
  expect(await team.owner.post(team.path, { ...body, questions: ['other'] })).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('other') },
  })
  const admin = await filling.server.createUser({ role: 'admin', workspaces: [team.workspace] })
  const job = must(await filling.server.clientFor(admin).post<Job>(team.path, body))
  must(await team.owner.delete(`/workspaces/${team.workspace}/users/${admin.id}`))
  expect(await steps()).toBe('failed')
  expect(await team.current(job)).toMatchObject({ reason: expect.stringContaining('can no longer review') })
  expect(await team.values()).toEqual([null])
})
