import type { BulkAnswerJob } from '@postil/contract/bulk-answers.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import { expect, it } from 'vitest'
import { releaseAll } from '#features/jobs/testing/operations.ts'
import { setUpBulk, yes } from './testing/fixtures.ts'

const { fixture, as, jobsPath, createRecords, start, answer, take, step, finish } = setUpBulk()
const no = { label: { value: 'no' } }

let records: readonly string[] = []
const begin = async (count: number, min_submitted = 1): Promise<void> => {
  records = (await createRecords(count, min_submitted)).map(({ id }) => id)
}
const started = async (body: object = {}) => (await start({ search: {}, status: 'submitted', values: yes, ...body })).body.id
const undo = (id: string, user = fixture.ann) => as(user).post<Job & { detail: string }>(`${jobsPath()}/${id}/undo`)
const stepOnce = async () => {
  const held = await take()
  if (held === undefined) throw new Error('there is no job')
  const result = await step(held)
  await fixture.idleServer.tool.write(releaseAll, {})
  return result.state
}
const newest = async () => (await as(fixture.ann).get<{ items: BulkAnswerJob[] }>(jobsPath())).body.items[0]
const found = async () =>
  (
    await as(fixture.idleServer.server.owner).get<{ items: WireRecord[] }>(
      `/datasets/${fixture.dataset}/records?include=responses&limit=1000`,
    )
  ).body.items
const answersOf = async (user = fixture.ann) =>
  new Map(
    (await found()).map(({ id, responses = [] }) => {
      const own = responses?.find(({ user_id }) => user_id === user.id)
      return [id, own ? `${own.status} ${own.values['label']?.value ?? '-'} ${own.version}` : null]
    }),
  )
const outcomes = async (id: string) => {
  const { body } = await as(fixture.ann).get<string>(`${jobsPath()}/${id}/report`)
  const rows = (body ?? '').trim().split('\n')
  return rows.map((line) => JSON.parse(line) as { record_id: string | null; outcome: string })
}

it('restores each record’s previous answer, or none, with statuses and counts', async () => {
  await begin(120, 2)
  await answer(records[0], { status: 'draft', values: no })
  await answer(records[1], { status: 'submitted', values: no }, fixture.bob)
  const before = await found()
  const first = await started()
  await finish()
  expect((await found()).filter(({ status }) => status === 'completed').map(({ id }) => id)).toEqual([records[1]])
  const undone = await undo(first)
  expect(undone).toMatchObject({ status: 202, body: { status: 'queued', done: 0, total: 120 } })
  expect(await stepOnce()).toBe('started')
  expect(await newest()).toMatchObject({ undoes: first, status: 'submitted', job: { done: 50, answers: { stored: 50 } } })
  await finish()
  expect(await newest()).toMatchObject({
    undoes: first,
    job: { id: undone.body.id, status: 'finished', done: 120, answers: { stored: 120, invalid: 0, changed: 0, gone: 0 } },
  })
  const after = await answersOf()
  expect(after.get(records[0] ?? '')).toBe('draft no 3')
  expect([...after.values()].filter((one) => one !== null)).toHaveLength(1)
  expect((await answersOf(fixture.bob)).get(records[1] ?? '')).toBe('submitted no 1')
  const statuses = (of: readonly WireRecord[]) => of.map(({ id, status }) => `${id} ${status}`)
  expect(statuses(await found())).toEqual(statuses(before))
})

it('skips answers that were changed, deleted or undone since, and reports each record', async () => {
  await begin(6)
  // The version number of a deleted answer is kept. The version numbers of later answers continue from it.
  const deletedAnswer = await answer(records[0], { status: 'submitted', values: no })
  await as(fixture.ann).delete(`/responses/${deletedAnswer.id}`)
  const first = await started()
  await finish()
  expect((await answersOf()).get(records[0] ?? '')).toBe('submitted yes 3')
  const own = (await found()).find(({ id }) => id === records[1])?.responses?.[0]?.id
  await as(fixture.ann).put(`/responses/${own}`, { status: 'submitted', values: no })
  const again = (await found()).find(({ id }) => id === records[2])?.responses?.[0]?.id
  await as(fixture.ann).delete(`/responses/${again}`)
  await answer(records[2], { status: 'submitted', values: yes })
  await as(fixture.idleServer.server.owner).delete(`/datasets/${fixture.dataset}/records?ids=${records[3]}`)
  const { body } = await undo(first)
  await finish()
  expect((await newest())?.job).toMatchObject({ status: 'finished', answers: { stored: 3, invalid: 0, changed: 2, gone: 1 } })
  const outcomeOf = new Map((await outcomes(body.id)).map(({ record_id, outcome }) => [record_id, outcome]))
  expect([records[0], records[1], records[2], null].map((id) => outcomeOf.get(id ?? null))).toEqual([
    'stored',
    'changed',
    'changed',
    'gone',
  ])
  expect([...(await answersOf()).values()].sort()).toEqual([null, null, null, 'submitted no 2', 'submitted yes 3'].sort())
})

it('undoes a stopped job, and continues after an undo was stopped', async () => {
  await begin(120)
  const first = await started({ status: 'discarded', values: {} })
  expect(await stepOnce()).toBe('started')
  // A running job must be stopped first.
  expect(await undo(first)).toMatchObject({ status: 422, body: { detail: expect.stringContaining('still running') } })
  expect(await stepOnce()).toBe('started')
  await as(fixture.ann).post(`/jobs/${first}/cancel`)
  const half = (await undo(first)).body
  expect(half.total).toBe(100)
  expect(await stepOnce()).toBe('started')
  expect((await undo(first)).status).toBe(422)
  await as(fixture.ann).post(`/jobs/${half.id}/cancel`)
  expect([...(await answersOf()).values()].filter((one) => one !== null)).toHaveLength(50)
  const rest = (await undo(first)).body
  expect(rest.total).toBe(50)
  await finish()
  expect((await newest())?.job).toMatchObject({ id: rest.id, status: 'finished', answers: { stored: 50, changed: 0 } })
  expect([...(await answersOf()).values()].filter((one) => one !== null)).toHaveLength(0)
  // Nothing is left to undo, and an undo can't be undone.
  for (const id of [first, rest.id]) expect((await undo(id)).status).toBe(422)
})

it('skips records that already had the same answer before the job, whatever happened to them since', async () => {
  await begin(3)
  const stood = await answer(records[0], { status: 'submitted', values: yes })
  await answer(records[1], { status: 'submitted', values: yes })
  const first = await started()
  await finish()
  expect((await newest())?.job.answers).toEqual({ stored: 3, invalid: 0, changed: 0, gone: 0 })
  await as(fixture.ann).put(`/responses/${stood.id}`, { status: 'submitted', values: no })
  expect((await undo(first)).body.total).toBe(1)
  await finish()
  expect((await newest())?.job.answers).toEqual({ stored: 1, invalid: 0, changed: 0, gone: 0 })
  expect([...(await answersOf()).values()]).toEqual(['submitted no 2', 'submitted yes 1', null])
})

it('restores no answer that is no longer valid, and reports the broken rule', async () => {
  await begin(2)
  const [first, second] = records
  const words = { words: { value: [{ start: 0, end: 6, label: 'name' }] } }
  for (const record of [first, second]) await answer(record, { status: 'draft', values: words })
  const job = await started()
  await finish()
  const owner = as(fixture.idleServer.server.owner)
  expect((await owner.patch(`/records/${first}`, { fields: { text: 'Short' } })).status).toBe(200)
  const { body } = await undo(job)
  await finish()
  expect((await newest())?.job.answers).toEqual({ stored: 1, invalid: 1, changed: 0, gone: 0 })
  expect((await outcomes(body.id)).map(({ record_id, outcome }) => [record_id, outcome])).toEqual([
    [first, 'invalid'],
    [second, 'stored'],
  ])
  expect([...(await answersOf()).values()]).toEqual(['submitted yes 2', 'draft - 3'])
})

it('is limited to the user who started the job, and sends webhook events for each answer', async () => {
  await begin(2)
  await answer(records[0], { status: 'draft', values: no })
  const first = await started()
  await finish()
  expect((await undo(first, fixture.bob)).status).toBe(404)
  expect((await undo(crypto.randomUUID())).status).toBe(404)
  const owner = as(fixture.idleServer.server.owner)
  const events = ['response.created', 'response.updated', 'response.deleted', 'record.completed', 'record.updated']
  const hook = await owner.post<{ id: string }>('/webhooks', { url: 'http://127.0.0.1:9/hook', events })
  await undo(first)
  await finish()
  const log = await owner.get<{ items: { event: string }[] }>(`/webhooks/${hook.body.id}/deliveries`)
  await owner.delete(`/webhooks/${hook.body.id}`)
  expect(log.body.items.map(({ event }) => event).sort()).toEqual([
    'record.updated',
    'record.updated',
    'response.deleted',
    'response.updated',
  ])
})
