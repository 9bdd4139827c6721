import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFixture, label, type ResponsesFixture } from '../testing/fixtures.ts'

let fixture: ResponsesFixture
let record: string
beforeAll(async () => {
  fixture = await createFixture()
})
afterAll(() => fixture.server.close())
beforeEach(async () => {
  record = await fixture.newRecord()
})

const owner = () => fixture.as(fixture.server.owner)
const agreement = async (id = record, as: TestUser = fixture.admin) => {
  const filters = { and: [{ type: 'terms', scope: { entity: 'record', property: 'id' }, values: [id] }] }
  const path = `/datasets/${fixture.dataset}/records/search?include=agreement`
  const { body } = await fixture.as(as).post<{ items: { record: WireRecord }[] }>(path, { filters })
  return body.items[0]?.record.agreement
}
const answer = async (user: TestUser, values: object = label('a'), status = 'submitted') => {
  const { body, status: code } = await fixture.answer(user, record, { status, values })
  if (code >= 300) throw new Error(`the server answered ${code} ${JSON.stringify(body)}`)
  return body.id
}
const change = async (id: string, status: string, values: object = label('b'), as: TestUser = fixture.bob) =>
  expect((await fixture.as(as).put(`/responses/${id}`, { status, values })).status).toBe(200)

describe('the agreement on a record', () => {
  it('is stored for each question with two submitted answers', async () => {
    const ranked = (...options: string[]) => options.map((value, i) => ({ value, rank: i + 1 }))
    await answer(fixture.ann, {
      ...label('a'),
      tags: { value: ['x', 'y'] },
      stars: { value: 1 },
      order: { value: ranked('p', 'q') },
      words: { value: [{ label: 's', start: 0, end: 5 }] },
    })
    expect(await agreement()).toEqual({})
    await answer(fixture.bob, {
      ...label('a'),
      tags: { value: ['y', 'z'] },
      order: { value: ranked('q', 'p') },
      words: {
        value: [
          { label: 's', start: 0, end: 5 },
          { label: 's', start: 6, end: 7 },
        ],
      },
    })
    expect(await agreement()).toEqual({ label: 1, tags: 1 / 3, order: 0, words: 2 / 3 })
    expect(await fixture.differences()).toEqual([])
  })

  it('follows every change to an answer', async () => {
    await answer(fixture.ann)
    const id = await answer(fixture.bob, label('a'), 'draft')
    expect(await agreement()).toEqual({})
    await change(id, 'submitted')
    expect(await agreement()).toEqual({ label: 0 })
    await change(id, 'submitted', { ...label('a'), stars: { value: 2 } })
    expect(await agreement()).toEqual({ label: 1 })
    await change(id, 'discarded')
    expect(await agreement()).toEqual({})
    await change(id, 'submitted', label('a'), fixture.admin)
    expect(await agreement()).toEqual({ label: 1 })
    await change(id, 'draft')
    expect(await agreement()).toEqual({})
    await change(id, 'submitted', label('b'))
    await answer(fixture.admin, label('b'))
    expect(await agreement()).toEqual({ label: 1 / 3 })
    expect((await fixture.as(fixture.bob).delete(`/responses/${id}`)).status).toBe(200)
    expect(await agreement()).toEqual({ label: 0 })
    const mine = `/records/${record}/responses/mine?mutation_id=00000000-0000-4000-8000-000000000001&base_version=1`
    expect((await fixture.as(fixture.admin).delete(mine)).status).toBe(200)
    expect(await agreement()).toEqual({})
    expect(await fixture.differences()).toEqual([])
  })

  it('loses only the question whose answer is left out', async () => {
    const both = { ...label('a'), stars: { value: 1 } }
    await answer(fixture.ann, both)
    const id = await answer(fixture.bob, both)
    expect(await agreement()).toEqual({ label: 1, stars: 1 })
    await change(id, 'submitted', label('a'))
    expect(await agreement()).toEqual({ label: 1 })
    expect(await fixture.differences()).toEqual([])
  })

  it('is stored with answers in bulk and inside records, and removed with the record or a user', async () => {
    const records = await Promise.all(Array.from({ length: 3 }, fixture.newRecord))
    const leaver = await fixture.server.createUser({ workspaces: [fixture.workspace] })
    const items = records.map((id) => ({ record_id: id, status: 'submitted', values: label('a') }))
    expect((await fixture.as(leaver).post('/me/responses/bulk', { items })).status).toBe(200)
    const inside = (id: string, value: string) => ({
      id,
      responses: [{ user_id: fixture.bob.id, status: 'submitted', values: label(value) }],
    })
    const path = `/datasets/${fixture.dataset}/records`
    const upsert = { items: records.map((id, i) => inside(id, i === 0 ? 'b' : 'a')) }
    expect((await owner().put(`${path}/bulk`, upsert)).status).toBe(200)
    expect(await Promise.all(records.map((id) => agreement(id)))).toEqual([{ label: 0 }, { label: 1 }, { label: 1 }])
    const [user_id, other] = [fixture.ann.id, fixture.bob.id]
    const responses = [
      { user_id, status: 'submitted', values: label('a') },
      { user_id: other, status: 'submitted', values: label('b') },
    ]
    const created = await owner().post<{ items: WireRecord[] }>(`${path}/bulk`, { items: [{ fields: { text: 't' }, responses }] })
    expect(await agreement(created.body.items[0]?.id)).toEqual({ label: 0 })
    expect((await owner().delete(`${path}?ids=${records[1]}`)).status).toBe(204)
    expect(await fixture.differences()).toEqual([])
    expect((await owner().delete(`/users/${leaver.id}`)).status).toBe(200)
    await vi.waitFor(async () => expect(await agreement(records[0])).toEqual({}))
    expect(await agreement(records[2])).toEqual({})
    expect(await fixture.differences()).toEqual([])
  })

  it('stays when the record’s content changes', async () => {
    await answer(fixture.ann)
    await answer(fixture.bob)
    const { body } = await owner().get<{ items: { id: string; name: string }[] }>(`/datasets/${fixture.dataset}/questions`)
    const question_id = body.items.find(({ name }) => name === 'label')?.id
    await owner().patch(`/records/${record}`, {
      fields: { text: 'other' },
      metadata: {},
      suggestions: [{ question_id, value: 'b' }],
    })
    expect(await agreement()).toEqual({ label: 1 })
    expect(await fixture.differences()).toEqual([])
  })

  it('is not shown to annotators, nor without being requested', async () => {
    await answer(fixture.ann)
    await answer(fixture.bob)
    const path = `/datasets/${fixture.dataset}/records/search?include=agreement`
    const { status, body } = await fixture.as(fixture.ann).post<{ items: { record: WireRecord }[] }>(`/me${path}`, {})
    expect([status, body.items.some((item) => 'agreement' in item.record)]).toEqual([200, false])
    expect((await fixture.as(fixture.ann).get<WireRecord>(`/records/${record}`)).body).not.toHaveProperty('agreement')
    expect((await owner().get<WireRecord>(`/records/${record}`)).body).not.toHaveProperty('agreement')
  })
})
