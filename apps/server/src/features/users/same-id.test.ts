import type { Response } from '@postil/contract/responses.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bootIdle, type Idle } from '#features/jobs/testing/idle.ts'
import { recount } from '#features/records/service.ts'
import { findKind } from '#platform/jobs/kinds.ts'
import { takeJobs } from '#platform/jobs/operations.ts'

let ground: Idle
beforeAll(async () => {
  ground = await bootIdle(new URL('../jobs/testing/operations.ts', import.meta.url))
})
afterAll(() => ground.close())

const HOLD = 60_000_000
const removal = 'user.remove-responses'
/** Carries out what the deletion of a user has left to do. */
const finish = async () => {
  const { store } = ground.server.app.ctx
  const [job] = await store.write(takeJobs, { kinds: [removal], limit: 1, hold: HOLD })
  const { step } = findKind(removal) ?? {}
  if (job === undefined || step === undefined) throw new Error('there is no job')
  for (let { until } = job; ; ) {
    const result = await store.write(step, { id: job.id, until, hold: HOLD })
    if (result.state !== 'started') return expect(result.state).toBe('finished')
    until = result.until
  }
}

it('an id is given out again when no answer of who had it is left, so that nobody loses their own', async () => {
  const { server } = ground
  const owner = server.as(server.owner)
  const workspace = (await server.createWorkspace()).id
  const ann = await server.createUser({ workspaces: [workspace] })
  const settings = { type: 'label_selection', options: ['yes', 'no'].map((value) => ({ value, text: value })) }
  const records: string[] = []
  // A deletion removes the answers of one dataset at once, those of others in the background.
  for (let i = 0; i < 2; i++) {
    const questions = [{ name: 'label', required: true, settings }]
    const { id } = await server.createDataset({ workspace_id: workspace, questions })
    const bulk = await owner.post<{ items: { id: string }[] }>(`/datasets/${id}/records/bulk`, {
      items: [{ fields: { text: 'text' } }],
    })
    records.push(bulk.body.items[0]?.id ?? '')
  }
  const answer = (record: string | undefined, user: { api_key: string }, value: string) =>
    server.as(user).post<Response>(`/records/${record}/responses`, { status: 'submitted', values: { label: { value } } })
  for (const record of records) expect((await answer(record, ann, 'yes')).status).toBe(201)

  await owner.delete(`/users/${ann.id}`)
  const again = { id: ann.id, first_name: 'Ann', username: ann.username, password: 'long enough' }
  expect(await owner.post('/users', again)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('still being removed: try again later') },
  })
  await finish()
  const back = await owner.post<{ api_key: string }>('/users', again)
  expect(back.status).toBe(201)
  await owner.post(`/workspaces/${workspace}/users`, { user_id: ann.id })
  for (const record of records) expect((await answer(record, back.body, 'no')).status).toBe(201)
  expect(await recount(server.app.ctx)).toEqual([])
})
