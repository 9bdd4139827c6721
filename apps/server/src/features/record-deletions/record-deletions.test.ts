import type { Job } from '@postil/contract/jobs.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTeam } from '#features/assignments/testing/fixtures.ts'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { releaseAll } from '#features/jobs/testing/operations.ts'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { deleteRecordsJob } from './job.ts'

let idle: IdleServer
beforeAll(async () => {
  idle = await bootIdleServer(new URL('../jobs/testing/operations.ts', import.meta.url))
})
afterAll(async () => {
  expect(await recount(idle.server.app.ctx)).toEqual([])
  await idle.close()
})

const HOLD = 60_000_000
const store = () => idle.server.app.ctx.store
const take = () => store().write(takeJobs, { kinds: [deleteRecordsJob.kind], limit: 1, hold: HOLD })
const steps = async (max = Number.POSITIVE_INFINITY): Promise<string> => {
  await idle.tool.write(releaseAll, {})
  const [job] = await take()
  if (job === undefined) throw new Error('there is no job')
  let { until } = job
  for (let done = 1; ; done++) {
    const result = await store().write(deleteRecordsJob.step, { id: job.id, until, hold: HOLD })
    if (result.state !== 'started' || done >= max) return result.state
    until = result.until
  }
}
const team = async (records: number) => {
  const made = await createTeam(idle.server, { records })
  const { owner, dataset, ids } = made
  const remaining = async (): Promise<readonly number[]> => {
    const { items } = must(
      await owner.post<{ items: { record: { id: string } }[] }>(`/datasets/${dataset}/records/search?limit=1000`, {}),
    )
    return items.map(({ record }) => ids.indexOf(record.id)).sort((a, b) => a - b)
  }
  return {
    ...made,
    remaining,
    remove: async (body: object) => must(await owner.post<Job>(`/datasets/${dataset}/records/delete`, body)),
    current: async ({ id }: Job) => (await owner.get<Job>(`/jobs/${id}`)).body,
  }
}
const places = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

it('deletes the results of a search except for some, with their answers, and resumes after a kill', async () => {
  const { remove, remaining, current, answer, users, ids, owner } = await team(120)
  await answer(users[0]!, 3)
  const job = await remove({ search: {}, except_ids: [ids[0]!, ids[119]!] })
  expect(job).toMatchObject({ status: 'scheduled', done: 0, total: 118 })
  expect(await take()).toEqual([])
  expect(await steps(1)).toBe('started')
  expect(await remaining()).toEqual([0, ...places(51, 120)])
  expect(await steps()).toBe('finished')
  expect(await current(job)).toMatchObject({ status: 'finished', done: 118, deletions: { deleted: 118, kept: 0, gone: 0 } })
  expect(await remaining()).toEqual([0, 119])
  expect((await owner.get(`/records/${ids[3]}`)).status).toBe(404)
})

it('deletes nothing if it is canceled before it starts', async () => {
  const { remove, remaining, current, owner, ids } = await team(3)
  const job = await remove({ record_ids: ids.slice(1) })
  must(await owner.post(`/jobs/${job.id}/cancel`))
  await idle.tool.write(releaseAll, {})
  expect(await take()).toEqual([])
  expect(await current(job)).toMatchObject({ status: 'canceled', done: 0 })
  expect(await remaining()).toEqual([0, 1, 2])
})

it('keeps records that were answered after the request, and counts those deleted before', async () => {
  const { remove, remaining, current, answer, users, owner, ids } = await team(4)
  await answer(users[0]!, 0)
  const job = await remove({ search: {} })
  await answer(users[0]!, 1)
  await answer(users[1]!, 2, 'draft')
  must(await owner.delete(`/records/${ids[3]}`))
  expect(await steps()).toBe('finished')
  expect(await current(job)).toMatchObject({ deletions: { deleted: 1, kept: 2, gone: 1 } })
  expect(await remaining()).toEqual([1, 2])
})

it('refuses annotators, unknown records and unclear requests', async () => {
  const { users, as, dataset, owner, ids } = await team(1)
  const path = `/datasets/${dataset}/records/delete`
  expect((await as(users[0]!).post(path, { search: {} })).status).toBe(403)
  expect((await owner.post(path, { record_ids: [crypto.randomUUID()] })).status).toBe(422)
  expect((await owner.post(path, { record_ids: ids, search: {} })).status).toBe(422)
  expect((await owner.post(path, {})).status).toBe(422)
})

it('fails if its author can no longer delete records', async () => {
  const { workspace, dataset, ids, current, remaining } = await team(1)
  const admin = await idle.server.createUser({ role: 'admin', workspaces: [workspace] })
  const job = must(await idle.server.clientFor(admin).post<Job>(`/datasets/${dataset}/records/delete`, { record_ids: ids }))
  must(await idle.server.clientFor(idle.server.owner).delete(`/workspaces/${workspace}/users/${admin.id}`))
  expect(await steps()).toBe('failed')
  expect(await current(job)).toMatchObject({ status: 'failed', reason: expect.stringContaining('can no longer delete records') })
  expect(await remaining()).toEqual([0])
})
