import type { MyMetrics } from '@postil/contract/progress.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { checks, createCheckedTeam, work } from './testing/checked-team.ts'
import { valuesOf } from './testing/review-team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

describe('test items', () => {
  it('are every n-th record, look like any other and are in no count', async () => {
    const team = await createCheckedTeam(server, 4, 8)
    const before = await team.progress()
    expect(await work(team, 6)).toEqual(['open', 'open', 'test', 'open', 'open', 'test'])
    expect((await team.progress()).answers).toBe(before.answers + 4)
    expect((await team.progress()).surplus).toBe(before.surplus)
    const { people, enabled, available } = await team.results()
    const score = { value: 1, low: expect.closeTo(0.3424, 4), high: 1 }
    expect({ people, enabled, available }).toEqual({
      people: [{ user_id: team.cyd.id, username: team.cyd.username, items: 2, score, stopped: false }],
      enabled: true,
      available: 4,
    })
    for (const id of team.ids.slice(0, 4)) {
      const all = await team.record(id, server.owner as TestUser)
      expect(all).toMatchObject({ status: 'completed' })
      expect(all.responses).toHaveLength(2)
    }
    expect(await recount(server.app.ctx)).toEqual([])
    // All test items have been answered once, so there are no more.
    expect(await work(team, 6)).toEqual(['open', 'open', 'test', 'open', 'open', 'test'])
    expect((await team.queue()).items).toEqual([])
  })

  it('look pending until they are answered, and keep their answer', async () => {
    const team = await createCheckedTeam(server, 1, 5)
    await work(team, 2)
    const { items, left } = await team.queue()
    const id = items[0]!.record.id
    expect(team.ids.indexOf(id)).toBe(0)
    expect(items[0]).toMatchObject({ record: { status: 'pending', responses: [] }, lease: { until: expect.any(String) } })
    expect(left).toBe(4)
    // Repeating the request returns the test item again. If the request excludes the test item, it returns the next record.
    expect((await team.queue()).items[0]?.record.id).toBe(id)
    expect((await team.queue({ exclude: [id] })).kinds).toEqual(['open'])
    const renewed = must(
      await team.as(team.cyd).put<{ items: { lease: unknown }[] }>(`/me${team.path}/queue/leases`, { record_ids: [id] }),
    )
    expect(renewed.items[0]?.lease).toEqual({ until: expect.any(String) })
    const mutation_id = crypto.randomUUID()
    const created = await team.mine(id, { mutation_id, values: valuesOf('no') })
    expect(created).toMatchObject({ status: 201, body: { version: 1, status: 'submitted', user_id: team.cyd.id } })
    expect(await team.mine(id, { mutation_id })).toMatchObject({ status: 200, body: { id: created.body.id, version: 1 } })
    expect(await team.mine(id, {})).toMatchObject({ status: 409, body: { response: { version: 1 } } })
    expect(await team.mine(id, { base_version: 1, values: {} })).toMatchObject({ status: 422 })
    expect(await team.mine(id, { base_version: 1 })).toMatchObject({ status: 200, body: { version: 2 } })
    expect((await team.mine(id, { mutation_id })).body).toMatchObject({ version: 1, values: valuesOf('no') })
    expect(await team.record(id)).toMatchObject({ status: 'completed', responses: [{ version: 2, values: valuesOf('yes') }] })
    const again = await team.as(team.cyd).post(`/records/${id}/responses`, { status: 'submitted', values: valuesOf('yes') })
    expect(again.status).toBe(409)
    expect((await team.results()).people[0]).toMatchObject({ items: 1, score: { value: 1 } })
    must(await team.as(team.cyd).delete(`/records/${id}/responses/mine?mutation_id=${crypto.randomUUID()}&base_version=2`))
    expect(await team.record(id)).toMatchObject({ status: 'pending', responses: [] })
    expect((await team.results()).people).toEqual([])
    expect(await team.mine(id, {})).toMatchObject({ status: 201, body: { version: 4 } })
    expect(await recount(server.app.ctx)).toEqual([])
  })

  it('are in order among several records of one request, and never exceed its limit', async () => {
    const team = await createCheckedTeam(server, 4, 8)
    const first = await team.queue({ limit: 7 })
    expect(first.kinds).toEqual(['open', 'open', 'test', 'open', 'open', 'test', 'open'])
    const rest = await team.queue({ limit: 7, exclude: first.items.map(({ record }) => record.id) })
    expect(rest.kinds.filter((kind) => kind === 'open')).toHaveLength(3)
    expect(rest.kinds.length).toBeLessThanOrEqual(7)
    const ids = [...first.items, ...rest.items].map(({ record }) => record.id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('stop a person whose answers are wrong, until a lead lets them continue', async () => {
    const team = await createCheckedTeam(server, 25, 60, { checks: { every: 2, stop_below: 0.5 } })
    const kinds = await work(team, 1000, 'no')
    expect(kinds.filter((kind) => kind === 'test')).toHaveLength(10)
    const stopped = await team.queue()
    expect(stopped).toMatchObject({ items: [], left: 0, stopped: true })
    const metrics = async () => must(await team.as(team.cyd).get<MyMetrics>(`/me${team.path}/metrics`))
    expect((await metrics()).stopped).toBe(true)
    expect((await team.results()).people[0]).toMatchObject({ items: 10, score: { value: 0 }, stopped: true })
    const other = await team.queue({}, team.ann)
    expect(other).toMatchObject({ stopped: false })
    expect(other.items).toHaveLength(1)
    expect((await team.as(team.cyd).post(`${team.path}/checks/${team.cyd.id}/continue`, {})).status).toBe(403)
    must(await team.owner.post(`${team.path}/checks/${team.cyd.id}/continue`, {}))
    expect((await metrics()).stopped).toBe(false)
    expect((await team.results()).people[0]).toMatchObject({ items: 10, stopped: false })
    expect((await work(team, 1000, 'no')).filter((kind) => kind === 'test')).toHaveLength(10)
    expect((await team.results()).people[0]).toMatchObject({ items: 20, stopped: true })
    must(await team.owner.put(`${team.path}/review-settings`, { mode: 'all' }))
    expect(await team.queue()).toMatchObject({ stopped: false })
    expect(await recount(server.app.ctx)).toEqual([])
  })

  it('are scored with the current final answers', async () => {
    const team = await createCheckedTeam(server, 2, 8)
    await work(team, 3, 'no')
    expect((await team.results()).people[0]).toMatchObject({ items: 1, score: { value: 0 } })
    for (const i of [0, 1])
      must(await team.put(i, { base_version: 1, values: { label: { value: 'no', source: 'adjudicated' } } }))
    expect((await team.results()).people[0]).toMatchObject({ items: 1, score: { value: 1 } })
    // While the final answers are out of date, they aren't used to score anyone.
    for (const i of [0, 1]) must(await team.owner.patch(`/records/${team.ids[i]}`, { fields: { text: 'changed' } }))
    expect((await team.results()).people).toEqual([])
    expect((await team.results()).available).toBe(0)
  })

  it('are not assigned to people who can review, and end with the records and the person', async () => {
    const team = await createCheckedTeam(server, 3, 9)
    must(await team.owner.put(`${team.path}/review-settings`, { mode: 'all', checks, reviewers: [team.cyd.id] }))
    expect(await work(team, 4)).toEqual(['open', 'open', 'open', 'open'])
    must(await team.owner.put(`${team.path}/review-settings`, { mode: 'all', checks }))
    expect(await work(team, 3)).toEqual(['open', 'open', 'test'])
    const settings = await team.as(team.cyd).get<{ checks: unknown }>(`${team.path}/review-settings`)
    expect(settings.body.checks).toBeNull()
    expect((await team.as(team.cyd).get(`${team.path}/checks`)).status).toBe(403)
    const file = await fetch(`${server.url}/api/v1${team.path}/records/download?format=jsonl`, {
      headers: { 'x-argilla-api-key': server.owner.api_key },
    })
    const rows = (await file.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { tests: { user_id: string; score: number }[] })
    expect(rows.flatMap(({ tests }) => tests)).toEqual([expect.objectContaining({ user_id: team.cyd.id, score: 1 })])
    must(await team.owner.delete(`/users/${team.cyd.id}`))
    expect((await team.results()).people).toEqual([])
    expect(await recount(server.app.ctx)).toEqual([])
  })
})

it('a record that needs answers again takes an ordinary answer', async () => {
  const team = await createCheckedTeam(server, 1, 4)
  await work(team, 2)
  const { items } = await team.queue()
  const id = items[0]!.record.id
  const [answer] = (await team.record(id, server.owner as TestUser)).responses ?? []
  must(await team.owner.delete(`/responses/${answer?.id}`))
  must(await team.mine(id, {}))
  expect(await team.record(id, server.owner as TestUser)).toMatchObject({ status: 'completed' })
  expect((await team.record(id, server.owner as TestUser)).responses).toHaveLength(2)
  expect((await team.results()).people).toEqual([])
  expect(await recount(server.app.ctx)).toEqual([])
})
