import type { Job } from '@postil/contract/jobs.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { releaseAll } from '#features/jobs/testing/operations.ts'
import { recount } from '#features/records/service.ts'
import { rowsOf } from '#features/responses/testing/operations.ts'
import { findKind } from '#platform/jobs/kinds.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { changeAssignments } from './job.ts'
import { createTeam } from './testing/fixtures.ts'
import { removeDuringCommand } from './testing/operations.ts'

let idle: IdleServer
beforeAll(async () => {
  idle = await bootIdleServer(new URL('./testing/operations.ts', import.meta.url))
})
afterAll(async () => {
  expect(await recount(idle.server.app.ctx)).toEqual([])
  await idle.close()
})

const HOLD = 60_000_000
type Claim = { readonly id: string; readonly until: number }
const store = () => idle.server.app.ctx.store
const REMOVAL = 'user.remove-responses'
const take = async (): Promise<Claim> => {
  const [job] = await store().write(takeJobs, { kinds: [changeAssignments.kind], limit: 1, hold: HOLD })
  if (job === undefined) throw new Error('there is no job')
  return job
}
const step = ({ id, until }: Claim, kind = changeAssignments.kind) => {
  const { step: command } = findKind(kind) ?? changeAssignments
  return store().write(command, { id, until, hold: HOLD })
}
/** Runs a claimed job until it ends. @returns its last state */
const finish = async (claim: Claim, kind?: string): Promise<string> => {
  const result = await step(claim, kind)
  return result.state === 'started' ? finish({ id: claim.id, until: result.until }, kind) : result.state
}
const team = async () => {
  const made = await createTeam(idle.server, { records: 600 })
  const [ann, bob] = made.users as [(typeof made.users)[0], (typeof made.users)[0]]
  const current = async ({ id }: Job) => (await made.owner.get<Job>(`/jobs/${id}`)).body
  return { ...made, ann, bob, current }
}
const places = (test: (place: number) => boolean) => Array.from({ length: 600 }, (_, i) => i).filter(test)

describe('a change to many assignments', () => {
  it('resumes after the process is killed, reports progress, and can be undone', async () => {
    const { assign, undo, assigned, find, current, ids, ann, bob } = await team()
    await assign({ record_ids: ids.slice(0, 100), user_ids: [ann.id] })
    const job = await assign({ search: {}, user_ids: [ann.id, bob.id] })
    expect(job).toMatchObject({ status: 'queued', done: 0, total: 600 })
    const first = await take()
    const stepped = await step(first)
    if (stepped.state !== 'started') throw new Error('the job has ended')
    expect(await current(job)).toMatchObject({ done: 250, assignments: { stored: 200, unchanged: 50 } })
    await idle.tool.write(releaseAll, {})
    const second = await take()
    // A late step of the dead worker changes nothing
    expect((await step({ id: first.id, until: stepped.until })).state).toBe('lost')
    expect(await finish(second)).toBe('finished')
    expect(await current(job)).toMatchObject({ status: 'finished', done: 600, assignments: { stored: 550, unchanged: 50 } })
    expect(await assigned()).toEqual([places((place) => place % 2 === 0), places((place) => place % 2 === 1), []])
    const undone = await undo(job)
    await finish(await take())
    expect(await current(undone)).toMatchObject({ status: 'finished', assignments: { stored: 550, changed: 0 } })
    expect(await find(ann.id)).toEqual(places((place) => place < 100))
    expect(await find(bob.id)).toEqual([])
  })

  it('undoes the parts that a canceled job has changed', async () => {
    const { assign, undo, find, owner, path, current, ann } = await team()
    const job = await assign({ search: {}, user_ids: [ann.id] })
    expect((await owner.post(`${path}/${job.id}/undo`)).status).toBe(422)
    await step(await take())
    expect((await owner.post(`/jobs/${job.id}/cancel`)).body).toMatchObject({ status: 'canceled' })
    expect(await find(ann.id)).toEqual(places((place) => place < 250))
    expect(await current(await undo(job))).toMatchObject({ status: 'finished', assignments: { stored: 250 } })
    expect(await find(ann.id)).toEqual([])
  })

  it('refuses to undo a job that ended before its first step', async () => {
    const { assign, owner, path, ann } = await team()
    const job = await assign({ search: {}, user_ids: [ann.id] })
    expect((await owner.post(`/jobs/${job.id}/cancel`)).body).toMatchObject({ status: 'canceled' })
    expect(await owner.post(`${path}/${job.id}/undo`)).toMatchObject({ status: 422 })
  })

  it('changes fewer records per step if each of them gets several people', async () => {
    const { assign, undo, assigned, current, ids, ann, bob } = await team()
    const job = await assign({ record_ids: ids.slice(0, 200), user_ids: [ann.id, bob.id], mode: 'all' })
    const claim = await take()
    const stepped = await step(claim)
    if (stepped.state !== 'started') throw new Error('the job has ended')
    expect(await current(job)).toMatchObject({ done: 125, total: 200 })
    expect(await finish({ id: claim.id, until: stepped.until })).toBe('finished')
    const undone = await undo(job)
    expect(undone).toMatchObject({ status: 'queued', total: 200 })
    expect(await finish(await take())).toBe('finished')
    expect(await current(undone)).toMatchObject({ done: 200, assignments: { stored: 200 } })
    expect(await assigned()).toEqual([[], [], []])
  })

  it('fails when a person leaves, and leaves no assignment of that person', async () => {
    const { assign, owner, workspace, find, current, ann, bob } = await team()
    const job = await assign({ search: {}, user_ids: [ann.id, bob.id] })
    const claim = await take()
    const stepped = await step(claim)
    await owner.delete(`/workspaces/${workspace}/users/${ann.id}`)
    if (stepped.state !== 'started') throw new Error('the job has ended')
    expect(await finish({ id: claim.id, until: stepped.until })).toBe('failed')
    expect(await current(job)).toMatchObject({ status: 'failed', reason: expect.stringContaining(ann.username) })
    expect(await find(ann.id)).toEqual([])
    expect(await find(bob.id)).toEqual(places((place) => place < 250 && place % 2 === 1))
  })

  it('skips records that are deleted, and remaining records that are answered, before their turn', async () => {
    const { assign, move, assigned, answer, owner, current, ids, ann, bob } = await team()
    await assign({ search: {}, user_ids: [ann.id] })
    await finish(await take())
    const job = await move(ann, bob)
    const claim = await take()
    await answer(ann, 300)
    await owner.delete(`/records/${ids[301]}`)
    expect(await finish(claim)).toBe('finished')
    expect(await current(job)).toMatchObject({ assignments: { stored: 598, unchanged: 1, gone: 1 } })
    expect(await assigned()).toEqual([[300], places((place) => place !== 300 && place !== 301), []])
  })
})

const numberOf = async (dataset: string): Promise<number> => {
  const datasets = await idle.tool.read(rowsOf, { table: 'datasets' })
  return Number(datasets.find(({ id }) => id === dataset)?.['no'])
}

it('does not bring back assignments that another command removes in the meantime', async () => {
  const { assign, assigned, dataset, ids, ann, bob } = await team()
  await assign({ record_ids: ids.slice(0, 1), user_ids: [ann.id, bob.id], mode: 'all' })
  const dataset_no = await numberOf(dataset)
  await idle.tool.write(removeDuringCommand, { dataset_no, leaving: ann.id, removed: bob.id })
  expect(await assigned()).toEqual([[], [], []])
})

it('does not mark a dataset as having assignments when a person without any is deleted', async () => {
  const { owner, answer, dataset, ann } = await team()
  await answer(ann, 0)
  expect((await owner.delete(`/users/${ann.id}`)).status).toBe(200)
  // On a slow machine, the request may not remove everything. A job removes the rest
  const [rest] = await store().write(takeJobs, { kinds: [REMOVAL], limit: 1, hold: HOLD })
  if (rest !== undefined) expect(await finish(rest, REMOVAL)).toBe('finished')
  const dataset_no = await numberOf(dataset)
  const states = await idle.tool.read(rowsOf, { table: 'dataset_state' })
  expect(states.find((state) => state['dataset_no'] === dataset_no)).toMatchObject({ assignments_version: 0 })
})
