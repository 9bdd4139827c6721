import type { Insights } from '@postil/contract/insights.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import { maxActiveMs } from '@postil/contract/wire/limits.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

type Mine = { active_time: Insights['people'][number]['active_time']; shown_to_leads: boolean }

let server: TestServer
let workspace: string
let dataset: string
let ann: TestUser
let bob: TestUser
let admin: TestUser
let foreignAdmin: TestUser

beforeAll(async () => {
  server = await bootServer()
  workspace = (await server.createWorkspace()).id
  ann = await server.createUser({ workspaces: [workspace] })
  bob = await server.createUser({ workspaces: [workspace] })
  admin = await server.createUser({ role: 'admin', workspaces: [workspace] })
  foreignAdmin = await server.createUser({ role: 'admin' })
})
beforeEach(async () => {
  dataset = (await server.createDataset({ workspace_id: workspace, distribution: { strategy: 'overlap', min_submitted: 9 } })).id
})
afterAll(() => server.close())

const answer = (status = 'submitted') => ({ status, values: { label: { value: 'yes' } } })
const newRecord = async (): Promise<string> => {
  const { body } = await server
    .clientFor(server.owner)
    .post<{ items: { id: string }[] }>(`/datasets/${dataset}/records/bulk`, { items: [{ fields: { text: 'a text' } }] })
  return body.items[0]!.id
}
const put = (record: string, base_version: number | null, active_ms: unknown, more: object = {}) =>
  server.clientFor(ann).put<Response>(`/records/${record}/responses/mine`, {
    mutation_id: crypto.randomUUID(),
    base_version,
    ...answer(),
    active_ms,
    ...more,
  })
const timeOf = async (user: TestUser) => (await server.clientFor(user).get<Mine>(`/me/datasets/${dataset}/active-time`)).body
const ownMs = async (user = ann): Promise<number | null> => (await timeOf(user)).active_time?.median_ms ?? null
const insights = async (user: TestUser) =>
  (await server.clientFor(user).get<Insights>(`/datasets/${dataset}/insights?fresh=true`)).body
const showToLeads = (shown_to_leads: boolean, user = admin) =>
  server.clientFor(user).put(`/datasets/${dataset}/active-time-settings`, { shown_to_leads })

describe('the active time of an answer', () => {
  it('is the sum of what its versions sent, on every route', async () => {
    const record = await newRecord()
    const client = server.clientFor(ann)
    const { id } = (await client.post<Response>(`/records/${record}/responses`, { ...answer('draft'), active_ms: 1_000 })).body
    expect(await ownMs()).toBeNull()
    await client.put(`/responses/${id}`, { ...answer(), active_ms: 200 })
    expect(await ownMs()).toBe(1_200)
    await client.post('/me/responses/bulk', { items: [{ record_id: record, ...answer(), active_ms: 30 }] })
    await put(record, 3, 4)
    expect(await ownMs()).toBe(1_234)
  })

  it('is kept by requests without it, and null without any', async () => {
    const record = await newRecord()
    expect((await put(record, null, undefined)).status).toBe(201)
    expect(await timeOf(ann)).toEqual({ active_time: null, shown_to_leads: false })
    await put(record, 1, 500)
    await put(record, 2, null)
    await put(record, 3, undefined)
    const responses = [
      { user_id: ann.id, ...answer('discarded') },
      { user_id: ann.id, ...answer() },
    ]
    for (const one of responses)
      await server.clientFor(admin).put(`/datasets/${dataset}/records/bulk`, { items: [{ id: record, responses: [one] }] })
    expect(await ownMs()).toBe(500)
  })

  it('is counted once, even if a request is repeated', async () => {
    const record = await newRecord()
    const [first, second] = [{ mutation_id: crypto.randomUUID() }, { mutation_id: crypto.randomUUID() }]
    await put(record, null, 1_000, first)
    await put(record, null, 1_000, first)
    await put(record, 1, 20, second)
    await put(record, null, 1_000, first)
    await put(record, 1, 20, second)
    expect(await ownMs()).toBe(1_020)
  })

  it('is added to an answer with equal values', async () => {
    const record = await newRecord()
    const { id } = (await put(record, null, 1_000)).body
    const same = (active_ms: number) => server.clientFor(ann).put<Response>(`/responses/${id}`, { ...answer(), active_ms })
    expect((await same(0)).body.version).toBe(1)
    expect((await same(5)).body.version).toBe(2)
    expect(await ownMs()).toBe(1_005)
  })

  it('ends with the answer, and continues if the answer is created again', async () => {
    const record = await newRecord()
    const client = server.clientFor(ann)
    await put(record, null, 1_000)
    const path = `/records/${record}/responses/mine?base_version=1&active_ms=200&mutation_id=${crypto.randomUUID()}`
    for (const _ of [1, 2]) expect((await client.delete(path)).status).toBe(200)
    expect(await ownMs()).toBeNull()
    const again = await put(record, null, 30)
    expect(again.status).toBe(201)
    expect(await ownMs()).toBe(1_230)
    await client.delete(`/responses/${again.body.id}`)
    await client.post('/me/responses/bulk', { items: [{ record_id: record, ...answer(), active_ms: 4 }] })
    expect(await ownMs()).toBe(1_234)
  })

  it('is kept when an earlier version is restored', async () => {
    const record = await newRecord()
    await put(record, null, 1_000)
    await put(record, 1, 200, { values: { label: { value: 'no' } } })
    const history = await server.clientFor(ann).get<{ items: { id: string }[] }>(`/records/${record}/history`)
    await server.clientFor(ann).post(`/records/${record}/history/${history.body.items[0]?.id}/restore`, {})
    expect(await ownMs()).toBe(1_200)
  })

  it('isn’t changed by other people', async () => {
    const { id } = (await put(await newRecord(), null, 1_000)).body
    const changed = await server.clientFor(admin).put(`/responses/${id}`, { ...answer('discarded'), active_ms: 200 })
    expect(changed.status).toBe(200)
    await server.clientFor(admin).put(`/responses/${id}`, answer())
    expect(await ownMs()).toBe(1_000)
  })

  it.each([-1, maxActiveMs + 1, 1.5, 'long'])('is refused if it is %s', async (active_ms) => {
    const record = await newRecord()
    expect((await put(record, null, active_ms)).status).toBe(422)
    expect((await put(record, null, maxActiveMs)).status).toBe(201)
    const path = `/records/${record}/responses/mine?base_version=1&active_ms=${active_ms}&mutation_id=${crypto.randomUUID()}`
    expect((await server.clientFor(ann).delete(path)).status).toBe(422)
  })

  it('is in no answer that the server returns', async () => {
    const record = await newRecord()
    expect((await put(record, null, 1_000)).body).not.toHaveProperty('active_ms')
    await put(record, 1, 5)
    const owner = server.clientFor(server.owner)
    const bodies = [
      (await owner.get<WireRecord>(`/records/${record}`)).body,
      (await owner.get(`/records/${record}/history`)).body,
      (await owner.post(`/datasets/${dataset}/records/search?include=responses`, {})).body,
    ]
    expect(JSON.stringify(bodies)).not.toContain('active_ms')
  })
})

describe('the reports', () => {
  it('have the quartiles of the submitted answers', async () => {
    const counted = fc.sample(fc.array(fc.integer({ min: 0, max: maxActiveMs }), { minLength: 1, maxLength: 9 }), {
      numRuns: 4,
      seed: 5,
    })
    for (const times of counted) {
      dataset = (await server.createDataset({ workspace_id: workspace })).id
      for (const ms of times) await put(await newRecord(), null, ms)
      await put(await newRecord(), null, 7, { status: 'draft' })
      await put(await newRecord(), null, null)
      const sorted = times.toSorted((a, b) => a - b)
      const at = (share: number) => {
        const [position, low] = [(sorted.length - 1) * share, Math.floor((sorted.length - 1) * share)]
        return sorted[low]! + ((sorted[low + 1] ?? sorted[low]!) - sorted[low]!) * (position - low)
      }
      const { active_time } = await timeOf(ann)
      expect(active_time?.answers).toBe(times.length)
      expect(active_time?.lower_ms).toBeCloseTo(at(0.25), 6)
      expect(active_time?.median_ms).toBeCloseTo(at(0.5), 6)
      expect(active_time?.upper_ms).toBeCloseTo(at(0.75), 6)
    }
  })

  it('show others’ active time only if the dataset’s settings allow it', async () => {
    const record = await newRecord()
    for (const [user, active_ms] of [
      [ann, 1_000],
      [bob, null],
      [admin, 3_000],
    ] as const)
      await server.clientFor(user).post(`/records/${record}/responses`, { ...answer(), active_ms })
    const shown = async (user: TestUser) => {
      const { people, shows_active_time } = await insights(user)
      return [shows_active_time, ...[ann, bob, admin].map(({ id }) => people.find((one) => one.user_id === id)?.active_time)]
    }
    const time = (ms: number) => ({ answers: 1, lower_ms: ms, median_ms: ms, upper_ms: ms })
    expect(await shown(server.owner)).toEqual([false, null, null, null])
    expect(await shown(admin)).toEqual([false, null, null, time(3_000)])
    await showToLeads(true)
    for (const lead of [server.owner, admin]) expect(await shown(lead)).toEqual([true, time(1_000), null, time(3_000)])
    expect(await timeOf(ann)).toEqual({ active_time: time(1_000), shown_to_leads: true })
    await showToLeads(false, server.owner)
    expect(await shown(server.owner)).toEqual([false, null, null, null])
    const { people } = (await server.clientFor(server.owner).get<Insights>(`/datasets/${dataset}/insights`)).body
    expect(people.map(({ active_time }) => active_time)).toEqual([null, null, null])
  })

  it('never show it to other annotators', async () => {
    await put(await newRecord(), null, 1_000)
    await showToLeads(true)
    expect(await timeOf(bob)).toEqual({ active_time: null, shown_to_leads: true })
    for (const user of [ann, bob]) expect((await server.clientFor(user).get(`/datasets/${dataset}/insights`)).status).toBe(403)
  })

  it('follow who may change the settings', async () => {
    for (const user of [ann, foreignAdmin]) expect((await showToLeads(true, user)).status).toBe(403)
    expect((await server.clientFor(foreignAdmin).get(`/datasets/${dataset}/active-time-settings`)).status).toBe(403)
    expect((await server.clientFor(ann).get(`/datasets/${dataset}/active-time-settings`)).body).toEqual({ shown_to_leads: false })
    expect((await showToLeads(true)).body).toEqual({ shown_to_leads: true })
    const log = await server.clientFor(server.owner).get('/audit?limit=1')
    expect(log.body).toMatchObject({ items: [{ action: 'active_time_settings.set', details: { shown_to_leads: true } }] })
  })

  it('leave out deleted people and records', async () => {
    const leaver = await server.createUser({ workspaces: [workspace] })
    const [kept, gone] = [await newRecord(), await newRecord()]
    for (const [record, active_ms] of [
      [kept, 10],
      [gone, 30],
    ] as const) {
      await put(record, null, active_ms)
      await server.clientFor(leaver).post(`/records/${record}/responses`, { ...answer(), active_ms })
    }
    await showToLeads(true)
    await server.clientFor(server.owner).delete(`/datasets/${dataset}/records?ids=${gone}`)
    await server.clientFor(server.owner).delete(`/users/${leaver.id}`)
    const { people } = await insights(server.owner)
    expect(people.map(({ user_id, active_time }) => [user_id, active_time?.answers, active_time?.median_ms])).toEqual([
      [ann.id, 1, 10],
    ])
  })
})
