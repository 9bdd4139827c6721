import type { BulkAnswerJob } from '@postil/contract/bulk-answers.ts'
import type { Job, ListedJob } from '@postil/contract/jobs.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import { lockUser } from '@postil/testkit/named-locks.ts'
import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { releaseAll } from '#features/jobs/testing/operations.ts'
import { setUpBulk, yes } from './testing/fixtures.ts'

const { fixture, as, jobsPath, createRecords, start, answer, take, step, finish } = setUpBulk()
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

const list = async (user = fixture.ann) => (await as(user).get<{ items: BulkAnswerJob[] }>(jobsPath())).body.items
const report = async (id: string, format = 'jsonl') =>
  (await as(fixture.ann).get<string>(`${jobsPath()}/${id}/report?format=${format}`)).body ?? ''
const find = async (body: object, user = fixture.ann) =>
  (
    await fixture.idleServer.server
      .clientFor(user)
      .post<{ items: { record: WireRecord }[]; total: number }>(
        `/me/datasets/${fixture.dataset}/records/search?limit=1000&include=responses`,
        body,
      )
  ).body

describe('answering all search results', () => {
  it('stores one answer per record and reports progress', async () => {
    const records = await createRecords(120)
    const expectedBefore = answeredAs('submitted')
    const started = await start({ search: pending, status: 'submitted', values: yes })
    expect(started).toMatchObject({ status: 202, body: { status: 'queued', done: 0, total: 120 } })
    const held = await take()
    if (held === undefined) throw new Error('there is no job')
    expect((await step(held)).state).toBe('started')
    expect((await list())[0]).toMatchObject({
      status: 'submitted',
      job: { id: started.body.id, done: 50, total: 120, answers: { stored: 50, invalid: 0, changed: 0, gone: 0 } },
    })
    await fixture.idleServer.tool.write(releaseAll, {})
    await finish()
    expect((await list())[0]?.job).toMatchObject({ status: 'finished', done: 120, answers: { stored: 120 } })
    const found = await find(expectedBefore)
    expect(found.total).toBe(120)
    expect(found.items.every(({ record }) => record.responses?.length === 1 && record.status === 'completed')).toBe(true)
    expect((await find(pending)).total).toBe(0)
    expect((await list(fixture.bob)).length).toBe(0)
    expect(records).toHaveLength(120)
  })

  it('resumes after the process is killed, and repeats no part', async () => {
    await createRecords(130, 2)
    await start({ search: pending, status: 'submitted', values: yes })
    const first = await take()
    if (first === undefined) throw new Error('there is no job')
    const stepped = await step(first)
    if (stepped.state !== 'started') throw new Error('the job has ended')
    await fixture.idleServer.tool.write(releaseAll, {})
    const second = await take()
    if (second === undefined) throw new Error('the job was not taken over')
    // A late step of the dead worker changes nothing.
    expect((await step({ id: first.id, until: stepped.until })).state).toBe('lost')
    expect((await step(second)).state).toBe('started')
    await fixture.idleServer.tool.write(releaseAll, {})
    await finish()
    expect((await list())[0]?.job).toMatchObject({ status: 'finished', answers: { stored: 130, changed: 0 } })
    const { items } = await find(answeredAs('submitted'))
    expect(items.map(({ record }) => record.responses?.[0]?.version)).toEqual(items.map(() => 1))
    expect(items.every(({ record }) => record.status === 'pending')).toBe(true)
  })

  it('skips records that were answered or deleted since it started, and reports each one', async () => {
    const records = await createRecords(60)
    const draft = await answer(records[0]?.id ?? '', { status: 'draft', values: yes })
    const { body } = await start({ search: pending, status: 'discarded' })
    expect(body.total).toBe(59)
    await answer(records[1]?.id ?? '', { status: 'submitted', values: { label: { value: 'no' } } })
    await as(fixture.idleServer.server.owner).delete(`/datasets/${fixture.dataset}/records?ids=${records[2]?.id}`)
    const lines = async () =>
      (await report(body.id))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    expect(new Set((await lines()).map(({ outcome }) => outcome))).toEqual(new Set(['waiting']))
    await finish()
    const reportLines = await lines()
    expect(reportLines).toHaveLength(59)
    expect(reportLines).toContainEqual({ record_id: records[1]?.id, external_id: 'r1', outcome: 'changed', reason: null })
    expect(reportLines).toContainEqual({ record_id: null, external_id: null, outcome: 'gone', reason: null })
    expect(reportLines.filter(({ outcome }) => outcome === 'stored')).toHaveLength(57)
    const csv = (await report(body.id, 'csv')).trim().split('\r\n')
    expect(csv).toHaveLength(60)
    expect(csv[0]).toBe('record_id,external_id,outcome,reason')
    expect((await find(answeredAs('submitted'))).total).toBe(1)
    expect((await find(answeredAs('draft'))).items[0]?.record.responses?.[0]?.id).toBe(draft.id)
  })

  it('replaces the caller’s answers if the search finds them, but nobody else’s', async () => {
    const records = await createRecords(3, 2)
    for (const { id } of records) await answer(id, { status: 'draft', values: {} })
    await answer(records[0]?.id ?? '', { status: 'draft', values: {} }, fixture.bob)
    await start({ search: answeredAs('draft'), status: 'submitted', values: yes })
    await finish()
    const { items } = await find(answeredAs('submitted'))
    expect(items.map(({ record }) => record.responses?.[0])).toMatchObject(records.map(() => ({ version: 2, values: yes })))
    expect((await find(answeredAs('draft'), fixture.bob)).total).toBe(1)
  })

  it('stores the outcome of each suggestion, and skips suggestions that are not accepted', async () => {
    const records = await createRecords(3)
    const [first, second, third] = records.map(({ id }) => id)
    const owner = as(fixture.idleServer.server.owner)
    const { body: found } = await owner.get<{ items: { id: string; name: string }[] }>(`/datasets/${fixture.dataset}/questions`)
    const idOf = (name: string) => found.items.find((one) => one.name === name)?.id
    const suggest = (record: string | undefined, name: string, value: unknown) =>
      owner.put(`/records/${record}/suggestions`, { question_id: idOf(name), value, agent: 'model-1' })
    const words = [{ start: 0, end: 4, label: 'name' }]
    await suggest(first, 'words', words)
    await suggest(first, 'label', 'yes')
    await suggest(second, 'label', 'no')
    await suggest(third, 'words', words)
    const use = (outcome: string) => ({ outcome, agent: 'model-1' })
    const answers = async () => {
      await finish()
      const { items } = await find(answeredAs('draft'))
      const responses = new Map(items.map(({ record }) => [record.id, record.responses?.[0]]))
      return [first, second, third].map((id) => {
        const response = responses.get(id ?? '')
        return [response?.values['words']?.value ?? null, response?.suggestion_outcomes]
      })
    }
    const values = { ...yes, words: { value: [] } }
    await start({ search: pending, status: 'draft', values, own_questions: ['words'] })
    expect(await answers()).toEqual([
      [words, { label: use('confirmed'), words: use('accepted_unseen') }],
      [[], { label: use('changed') }],
      [words, { words: use('accepted_unseen') }],
    ])
    await start({ search: answeredAs('draft'), status: 'discarded', values: {}, own_questions: ['words'] })
    await finish()
    await as(fixture.ann).post(`${jobsPath()}/${(await list())[0]?.job.id}/undo`)
    expect((await answers())[0]).toEqual([words, { label: use('confirmed'), words: use('accepted_unseen') }])
    for (const { record } of (await find(answeredAs('draft'))).items)
      await as(fixture.ann).delete(`/responses/${record.responses?.[0]?.id}`)
    await start({ search: pending, status: 'draft', values, own_questions: ['words'], skip_suggestions: ['words'] })
    expect((await answers()).map(([value]) => value)).toEqual([null, [], null])
  })

  it('uses each record’s own value for questions about its text: an answer, else a suggestion, else the sent value', async () => {
    const records = await createRecords(3)
    const [first, second, third] = records.map(({ id }) => id)
    const span = (end: number) => [{ start: 0, end, label: 'name' }]
    const questionList = await as(fixture.ann).get<{ items: { id: string; name: string }[] }>(
      `/datasets/${fixture.dataset}/questions`,
    )
    const words = questionList.body.items.find(({ name }) => name === 'words')?.id
    await answer(first ?? '', { status: 'draft', values: { words: { value: span(2) } } })
    for (const id of [first, second]) {
      const body = { question_id: words, value: span(4), type: 'model' }
      await as(fixture.idleServer.server.owner).put(`/records/${id}/suggestions`, body)
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

  it('stores no invalid answers, and reports the broken rule', async () => {
    await createRecords(2)
    const { body } = await start({ search: pending, status: 'submitted', values: { label: { value: 'perhaps' } } })
    await finish()
    expect((await list())[0]?.job).toMatchObject({ status: 'finished', answers: { stored: 0, invalid: 2 } })
    expect(await report(body.id)).toMatch(/"invalid","reason":"Response value for question with name=label/)
    expect(await start({ search: pending, status: 'draft', values: { colour: { value: 'red' } } })).toMatchObject({ status: 422 })
    expect(await start({ search: pending, status: 'draft', own_questions: ['colour'] })).toMatchObject({ status: 422 })
  })

  it('answers at most the requested number of records', async () => {
    await createRecords(10)
    expect((await start({ search: pending, limit: 4, status: 'discarded' })).body.total).toBe(4)
    await finish()
    expect((await find(answeredAs('discarded'))).total).toBe(4)
  })

  it('can be stopped by the user who started it or by an owner', async () => {
    await createRecords(120)
    for (const by of [fixture.ann, fixture.idleServer.server.owner]) {
      const { body } = await start({ search: pending, status: 'discarded' })
      const held = await take()
      if (held === undefined) throw new Error('there is no job')
      const result = await step(held)
      if (result.state !== 'started') throw new Error('the job has ended')
      expect((await as(fixture.bob).post(`/jobs/${body.id}/cancel`)).status).toBe(403)
      expect((await as(by).post(`/jobs/${body.id}/cancel`)).body).toMatchObject({ status: 'canceled' })
      expect((await step({ id: held.id, until: result.until })).state).toBe('lost')
      expect((await list())[0]?.job).toMatchObject({ status: 'canceled', done: 50, answers: { stored: 50 } })
    }
    expect((await find(answeredAs('discarded'))).total).toBe(100)
  })

  it('fails when its user loses access, and keeps the stored answers', async () => {
    await createRecords(60)
    const leaver = await fixture.idleServer.server.createUser({ workspaces: [fixture.workspace] })
    const { body } = await start({ search: pending, status: 'discarded' }, leaver)
    const held = await take()
    if (held === undefined) throw new Error('there is no job')
    const result = await step(held)
    if (result.state !== 'started') throw new Error('the job has ended')
    await as(fixture.idleServer.server.owner).delete(`/workspaces/${fixture.workspace}/users/${leaver.id}`)
    expect((await step({ id: held.id, until: result.until })).state).toBe('failed')
    expect((await as(fixture.idleServer.server.owner).get<Job>(`/jobs/${body.id}`)).body).toMatchObject({
      status: 'failed',
      answers: { stored: 50 },
    })
  })

  // Runs only on PostgreSQL, because the embedded database has a single writer
  it.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')('reports that its user was deleted during a step', async () => {
    await createRecords(1)
    const leaver = await fixture.idleServer.server.createUser({ workspaces: [fixture.workspace] })
    const { body } = await start({ search: pending, status: 'discarded' }, leaver)
    const held = await take()
    if (held === undefined) throw new Error('there is no job')
    const sql = new pg.Client({ connectionString: fixture.idleServer.server.app.ctx.config.databaseUrl })
    await sql.connect()
    await sql.query('begin')
    await sql.query(lockUser(leaver.id))
    await sql.query('delete from users where id = $1', [leaver.id])
    const result = step(held)
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect((await sql.query(waiting)).rows).toHaveLength(1), { timeout: 10_000, interval: 50 })
    await sql.query('commit')
    await sql.end()
    expect((await result).state).toBe('failed')
    const { items } = (await as(fixture.idleServer.server.owner).get<{ items: ListedJob[] }>('/jobs')).body
    const reason = 'The user who started this job can no longer answer records'
    expect(items.find(({ id }) => id === body.id)).toMatchObject({ reason })
  })

  it('is visible only to the user who started it', async () => {
    await createRecords(1)
    const { body } = await start({ search: pending, status: 'discarded' })
    await finish()
    expect((await as(fixture.bob).get(`${jobsPath()}/${body.id}/report`)).status).toBe(404)
    expect((await as(fixture.ann).get(`${jobsPath()}/${crypto.randomUUID()}/report`)).status).toBe(404)
    expect((await as(fixture.ann).get(`${jobsPath()}/${body.id}/report`)).status).toBe(200)
  })
})

it('sends webhook events for each answer', async () => {
  const records = await createRecords(2)
  await answer(records[0]?.id ?? '', { status: 'draft', values: {} })
  const owner = as(fixture.idleServer.server.owner)
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
