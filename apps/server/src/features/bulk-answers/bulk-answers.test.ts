import type { BulkAnswerJob } from '@postil/contract/bulk-answers.ts'
import type { Job, ListedJob } from '@postil/contract/jobs.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { releaseAll } from '#features/jobs/testing/operations.ts'
import { setUpBulk, yes } from './testing/given.ts'

const { crowd, as, jobsPath, given, start, answer, take, step, finish } = setUpBulk()
const pending = {
  filters: {
    and: [
      { type: 'terms', scope: { entity: 'response', property: 'status' }, values: ['pending'] },
      { type: 'terms', scope: { entity: 'record', property: 'status' }, values: ['pending'] },
    ],
  },
}
const answeredAs = (status: string) => ({
  filters: { and: [{ type: 'terms', scope: { entity: 'response', property: 'status' }, values: [status] }] },
})

const list = async (user = crowd.ann) => (await as(user).get<{ items: BulkAnswerJob[] }>(jobsPath())).body.items
const report = async (id: string, format = 'jsonl') =>
  (await as(crowd.ann).get<string>(`${jobsPath()}/${id}/report?format=${format}`)).body ?? ''
const find = async (body: object, user = crowd.ann) =>
  (
    await crowd.ground.server
      .as(user)
      .post<{ items: { record: WireRecord }[]; total: number }>(
        `/me/datasets/${crowd.dataset}/records/search?limit=1000&include=responses`,
        body,
      )
  ).body

describe('answering everything that a search finds', () => {
  it('stores one answer for each record and tells how far it is', async () => {
    const records = await given(120)
    const elsewhere = answeredAs('submitted')
    const started = await start({ search: pending, status: 'submitted', values: yes })
    expect(started).toMatchObject({ status: 202, body: { status: 'queued', done: 0, total: 120 } })
    const held = await take()
    if (held === undefined) throw new Error('there is no job')
    expect((await step(held)).state).toBe('started')
    expect((await list())[0]).toMatchObject({
      status: 'submitted',
      job: { id: started.body.id, done: 50, total: 120, answers: { stored: 50, invalid: 0, changed: 0, gone: 0 } },
    })
    await crowd.ground.tool.write(releaseAll, {})
    await finish()
    expect((await list())[0]?.job).toMatchObject({ status: 'finished', done: 120, answers: { stored: 120 } })
    const found = await find(elsewhere)
    expect(found.total).toBe(120)
    expect(found.items.every(({ record }) => record.responses?.length === 1 && record.status === 'completed')).toBe(true)
    expect((await find(pending)).total).toBe(0)
    expect((await list(crowd.bob)).length).toBe(0)
    expect(records).toHaveLength(120)
  })

  it('takes over from a process that was killed, and does no part twice', async () => {
    await given(130, 2)
    await start({ search: pending, status: 'submitted', values: yes })
    const first = await take()
    if (first === undefined) throw new Error('there is no job')
    const stepped = await step(first)
    if (stepped.state !== 'started') throw new Error('the job has ended')
    await crowd.ground.tool.write(releaseAll, {})
    const second = await take()
    if (second === undefined) throw new Error('the job was not taken over')
    // What the dead one had begun arrives late: it changes nothing.
    expect((await step({ id: first.id, until: stepped.until })).state).toBe('lost')
    expect((await step(second)).state).toBe('started')
    await crowd.ground.tool.write(releaseAll, {})
    await finish()
    expect((await list())[0]?.job).toMatchObject({ status: 'finished', answers: { stored: 130, changed: 0 } })
    const { items } = await find(answeredAs('submitted'))
    expect(items.map(({ record }) => record.responses?.[0]?.version)).toEqual(items.map(() => 1))
    expect(items.every(({ record }) => record.status === 'pending')).toBe(true)
  })

  it('leaves alone what was answered or deleted since it began, and tells of each record', async () => {
    const records = await given(60)
    const draft = await answer(records[0]?.id ?? '', { status: 'draft', values: yes })
    const { body } = await start({ search: pending, status: 'discarded' })
    expect(body.total).toBe(59)
    await answer(records[1]?.id ?? '', { status: 'submitted', values: { label: { value: 'no' } } })
    await as(crowd.ground.server.owner).delete(`/datasets/${crowd.dataset}/records?ids=${records[2]?.id}`)
    const lines = async () =>
      (await report(body.id))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    expect(new Set((await lines()).map(({ outcome }) => outcome))).toEqual(new Set(['waiting']))
    await finish()
    const told = await lines()
    expect(told).toHaveLength(59)
    expect(told).toContainEqual({ record_id: records[1]?.id, external_id: 'r1', outcome: 'changed', reason: null })
    expect(told).toContainEqual({ record_id: null, external_id: null, outcome: 'gone', reason: null })
    expect(told.filter(({ outcome }) => outcome === 'stored')).toHaveLength(57)
    const csv = (await report(body.id, 'csv')).trim().split('\r\n')
    expect(csv).toHaveLength(60)
    expect(csv[0]).toBe('record_id,external_id,outcome,reason')
    expect((await find(answeredAs('submitted'))).total).toBe(1)
    expect((await find(answeredAs('draft'))).items[0]?.record.responses?.[0]?.id).toBe(draft.id)
  })

  it('replaces answers of the caller where the search finds them, and nobody else’s', async () => {
    const records = await given(3, 2)
    for (const { id } of records) await answer(id, { status: 'draft', values: {} })
    await answer(records[0]?.id ?? '', { status: 'draft', values: {} }, crowd.bob)
    await start({ search: answeredAs('draft'), status: 'submitted', values: yes })
    await finish()
    const { items } = await find(answeredAs('submitted'))
    expect(items.map(({ record }) => record.responses?.[0])).toMatchObject(records.map(() => ({ version: 2, values: yes })))
    expect((await find(answeredAs('draft'), crowd.bob)).total).toBe(1)
  })

  it('keeps what each record says of its own text: an answer, else a suggestion, else what was sent', async () => {
    const records = await given(3)
    const [first, second, third] = records.map(({ id }) => id)
    const span = (end: number) => [{ start: 0, end, label: 'name' }]
    const asked = await as(crowd.ann).get<{ items: { id: string; name: string }[] }>(`/datasets/${crowd.dataset}/questions`)
    const words = asked.body.items.find(({ name }) => name === 'words')?.id
    await answer(first ?? '', { status: 'draft', values: { words: { value: span(2) } } })
    for (const id of [first, second]) {
      const body = { question_id: words, value: span(4), type: 'model' }
      await as(crowd.ground.server.owner).put(`/records/${id}/suggestions`, body)
    }
    await start({
      search: {},
      status: 'submitted',
      values: { ...yes, words: { value: [] } },
      own_questions: ['words'],
    })
    await finish()
    const { items } = await find(answeredAs('submitted'))
    const wordsOf = (id: string | undefined) =>
      items.find(({ record }) => record.id === id)?.record.responses?.[0]?.values['words']?.value
    expect([first, second, third].map(wordsOf)).toEqual([span(2), span(4), []])
  })

  it('answers nothing that breaks a rule, and says which', async () => {
    await given(2)
    const { body } = await start({ search: pending, status: 'submitted', values: { label: { value: 'perhaps' } } })
    await finish()
    expect((await list())[0]?.job).toMatchObject({ status: 'finished', answers: { stored: 0, invalid: 2 } })
    expect(await report(body.id)).toMatch(/"invalid","reason":"Response value for question with name=label/)
    expect(await start({ search: pending, status: 'draft', values: { colour: { value: 'red' } } })).toMatchObject({ status: 422 })
    expect(await start({ search: pending, status: 'draft', own_questions: ['colour'] })).toMatchObject({ status: 422 })
  })

  it('takes at most so many as are asked for', async () => {
    await given(10)
    expect((await start({ search: pending, limit: 4, status: 'discarded' })).body.total).toBe(4)
    await finish()
    expect((await find(answeredAs('discarded'))).total).toBe(4)
  })

  it('stops where it is told to, by who started it or an owner', async () => {
    await given(120)
    for (const by of [crowd.ann, crowd.ground.server.owner]) {
      const { body } = await start({ search: pending, status: 'discarded' })
      const held = await take()
      if (held === undefined) throw new Error('there is no job')
      const result = await step(held)
      if (result.state !== 'started') throw new Error('the job has ended')
      expect((await as(crowd.bob).post(`/jobs/${body.id}/cancel`)).status).toBe(403)
      expect((await as(by).post(`/jobs/${body.id}/cancel`)).body).toMatchObject({ status: 'canceled' })
      expect((await step({ id: held.id, until: result.until })).state).toBe('lost')
      expect((await list())[0]?.job).toMatchObject({ status: 'canceled', done: 50, answers: { stored: 50 } })
    }
    expect((await find(answeredAs('discarded'))).total).toBe(100)
  })

  it('fails when who started it may not answer any more, and keeps what it did', async () => {
    await given(60)
    const leaver = await crowd.ground.server.createUser({ workspaces: [crowd.workspace] })
    const { body } = await start({ search: pending, status: 'discarded' }, leaver)
    const held = await take()
    if (held === undefined) throw new Error('there is no job')
    const result = await step(held)
    if (result.state !== 'started') throw new Error('the job has ended')
    await as(crowd.ground.server.owner).delete(`/workspaces/${crowd.workspace}/users/${leaver.id}`)
    expect((await step({ id: held.id, until: result.until })).state).toBe('failed')
    expect((await as(crowd.ground.server.owner).get<Job>(`/jobs/${body.id}`)).body).toMatchObject({
      status: 'failed',
      answers: { stored: 50 },
    })
  })

  // NOTE: the embedded store has one writer
  it.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')('says so when who started it is deleted during a step', async () => {
    await given(1)
    const leaver = await crowd.ground.server.createUser({ workspaces: [crowd.workspace] })
    const { body } = await start({ search: pending, status: 'discarded' }, leaver)
    const held = await take()
    if (held === undefined) throw new Error('there is no job')
    const sql = new pg.Client({ connectionString: crowd.ground.server.app.ctx.config.databaseUrl })
    await sql.connect()
    await sql.query('begin')
    await sql.query('delete from users where id = $1', [leaver.id])
    const result = step(held)
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect((await sql.query(waiting)).rows).toHaveLength(1), { timeout: 10_000, interval: 20 })
    await sql.query('commit')
    await sql.end()
    expect((await result).state).toBe('failed')
    const { items } = (await as(crowd.ground.server.owner).get<{ items: ListedJob[] }>('/jobs')).body
    const reason = 'Who started this may not answer records any more'
    expect(items.find(({ id }) => id === body.id)).toMatchObject({ reason })
  })

  it('is shown to nobody but who started it', async () => {
    await given(1)
    const { body } = await start({ search: pending, status: 'discarded' })
    await finish()
    expect((await as(crowd.bob).get(`${jobsPath()}/${body.id}/report`)).status).toBe(404)
    expect((await as(crowd.ann).get(`${jobsPath()}/${crypto.randomUUID()}/report`)).status).toBe(404)
    expect((await as(crowd.ann).get(`${jobsPath()}/${body.id}/report`)).status).toBe(200)
  })
})

it('tells webhooks of each answer', async () => {
  const records = await given(2)
  await answer(records[0]?.id ?? '', { status: 'draft', values: {} })
  const owner = as(crowd.ground.server.owner)
  const events = ['response.created', 'response.updated', 'record.completed']
  const hook = await owner.post<{ id: string }>('/webhooks', { url: 'http://127.0.0.1:9/hook', events })
  await start({ search: {}, status: 'submitted', values: yes })
  await finish()
  const log = await owner.get<{ items: { event: string }[] }>(`/webhooks/${hook.body.id}/deliveries`)
  expect(log.body.items.map(({ event }) => event).sort()).toEqual([
    'record.completed',
    'record.completed',
    'response.created',
    'response.updated',
  ])
})
