import type { Response } from '@postil/contract/responses.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { recount } from '#features/records/service.ts'
import { findKind } from '#platform/jobs/kinds.ts'
import { takeJobs } from '#platform/jobs/operations.ts'

let fixture: IdleServer
beforeAll(async () => {
  fixture = await bootIdleServer(new URL('../jobs/testing/operations.ts', import.meta.url))
})
afterAll(() => fixture.close())

const HOLD = 60_000_000
/** Runs the job of the given kind. @returns its final state */
const finish = async (kind: string): Promise<string> => {
  const { store } = fixture.server.app.ctx
  const [job] = await store.write(takeJobs, { kinds: [kind], limit: 1, hold: HOLD })
  const { step } = findKind(kind) ?? {}
  if (job === undefined || step === undefined) throw new Error('there is no job')
  for (let { until } = job; ; ) {
    const result = await store.write(step, { id: job.id, until, hold: HOLD })
    if (result.state !== 'started') return result.state
    until = result.until
  }
}

it('a user ID can be reused once no answers of its previous user are left and none of their jobs can create new ones', async () => {
  const { server } = fixture
  const owner = server.clientFor(server.owner)
  const workspace = (await server.createWorkspace()).id
  const ann = await server.createUser({ workspaces: [workspace] })
  const settings = { type: 'label_selection', options: ['yes', 'no'].map((value) => ({ value, text: value })) }
  const records: string[] = []
  const datasets: string[] = []
  // Deletion removes the answers in one dataset immediately, and those in other datasets in the background.
  for (let i = 0; i < 2; i++) {
    const questions = [{ name: 'label', required: true, settings }]
    const dataset = (await server.createDataset({ workspace_id: workspace, questions })).id
    datasets.push(dataset)
    const made = await owner.post<{ items: { id: string }[] }>(`/datasets/${dataset}/records/bulk`, {
      items: [{ fields: { text: 'text' } }],
    })
    records.push(made.body.items[0]?.id ?? '')
  }
  const answer = (record: string | undefined, user: { api_key: string }, value: string) =>
    server.clientFor(user).post<Response>(`/records/${record}/responses`, { status: 'submitted', values: { label: { value } } })
  for (const record of records) expect((await answer(record, ann, 'yes')).status).toBe(201)

  for (const dataset of datasets) {
    const assign = await owner.post(`/datasets/${dataset}/assignments`, { search: {}, user_ids: [ann.id], mode: 'all' })
    expect(assign).toMatchObject({ status: 202, body: { status: 'finished' } })
  }

  const bulk = { search: {}, status: 'submitted', values: { label: { value: 'yes' } } }
  expect((await server.clientFor(ann).post(`/me/datasets/${datasets.at(-1)}/responses/bulk-jobs`, bulk)).status).toBe(202)

  await owner.delete(`/users/${ann.id}`)
  const again = { id: ann.id, first_name: 'Ann', username: ann.username, password: 'long enough' }
  const leaving = { status: 409, body: { detail: expect.stringContaining('still being removed. Try again later') } }
  expect(await owner.post('/users', again)).toMatchObject(leaving)
  // Assignments that the job hasn't deleted yet don't count as inconsistencies.
  expect(await recount(server.app.ctx)).toEqual([])
  expect(await finish('user.remove-responses')).toBe('finished')
  expect(await owner.post('/users', again)).toMatchObject(leaving)
  expect(await finish('responses.bulk')).toBe('failed')
  const back = await owner.post<{ api_key: string }>('/users', again)
  expect(back.status).toBe(201)
  await owner.post(`/workspaces/${workspace}/users`, { user_id: ann.id })
  for (const record of records) expect((await answer(record, back.body, 'no')).status).toBe(201)
  expect(await recount(server.app.ctx)).toEqual([])
})
