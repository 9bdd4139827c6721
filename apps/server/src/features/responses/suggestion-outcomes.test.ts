import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ResponsesFixture } from './testing/fixtures.ts'
import { createFixture, label } from './testing/fixtures.ts'

let fixture: ResponsesFixture
beforeAll(async () => {
  fixture = await createFixture()
})
afterAll(() => fixture.server.close())

const confirmed = { label: { outcome: 'confirmed', agent: 'model-1' } }
const unseen = { label: { outcome: 'accepted_unseen', agent: null } }
const put = async (record: string, base_version: number | null, body: object) =>
  fixture
    .as(fixture.ann)
    .put<Response>(`/records/${record}/responses/mine`, { mutation_id: crypto.randomUUID(), base_version, ...body })
const stored = async (record: string): Promise<Response> => {
  const { body } = await fixture.as(fixture.server.owner).get<WireRecord>(`/records/${record}`)
  return body.responses![0]!
}

describe('the outcomes of suggestions', () => {
  it('are stored with an answer and returned by every route', async () => {
    const record = await fixture.newRecord()
    const answer = { status: 'submitted', values: label('a'), suggestion_outcomes: confirmed }
    const created = await put(record, null, answer)
    expect(created).toMatchObject({ status: 201, body: { suggestion_outcomes: confirmed } })
    expect((await stored(record)).suggestion_outcomes).toEqual(confirmed)
    const path = `/me/datasets/${fixture.dataset}/records/search?include=responses&limit=1000`
    const found = await fixture.as(fixture.ann).post<{ items: { record: WireRecord }[] }>(path, {})
    const own = found.body.items.find((one) => one.record.id === record)
    expect(own?.record.responses?.[0]?.suggestion_outcomes).toEqual(confirmed)
    const bulk = { items: [{ record_id: record, ...answer, suggestion_outcomes: unseen }] }
    expect(await fixture.as(fixture.ann).post('/me/responses/bulk', bulk)).toMatchObject({
      body: { items: [{ item: { suggestion_outcomes: unseen }, error: null }] },
    })
    expect(
      await fixture.as(fixture.ann).put(`/responses/${created.body.id}`, { ...answer, suggestion_outcomes: {} }),
    ).toMatchObject({ body: { suggestion_outcomes: {} } })
  })

  it('are unknown if they are omitted, unless the values stay the same', async () => {
    const record = await fixture.newRecord()
    expect(
      (await fixture.answer(fixture.ann, record, { status: 'draft', values: label('a') })).body.suggestion_outcomes,
    ).toBeNull()
    await put(record, 1, { status: 'draft', values: label('a'), suggestion_outcomes: confirmed })
    const submitted = await put(record, 2, { status: 'submitted', values: label('a') })
    expect(submitted.body).toMatchObject({ version: 3, suggestion_outcomes: confirmed })
    const changed = await put(record, 3, { status: 'submitted', values: label('b') })
    expect(changed.body).toMatchObject({ version: 4, suggestion_outcomes: null })
  })

  it('survive that a client reads records and sends them back without them', async () => {
    const record = await fixture.newRecord()
    await put(record, null, { status: 'submitted', values: label('a'), suggestion_outcomes: confirmed })
    const responses = [{ user_id: fixture.ann.id, status: 'submitted', values: label('a') }]
    const path = `/datasets/${fixture.dataset}/records/bulk`
    await fixture.as(fixture.admin).put(path, { items: [{ id: record, responses }] })
    expect(await stored(record)).toMatchObject({ version: 1, suggestion_outcomes: confirmed })
    const items = [{ id: record, responses: [{ ...responses[0], suggestion_outcomes: unseen }] }]
    await fixture.as(fixture.admin).put(path, { items })
    expect(await stored(record)).toMatchObject({ version: 2, suggestion_outcomes: unseen })
  })

  it('are part of the history and restored with an answer', async () => {
    const record = await fixture.newRecord()
    await put(record, null, { status: 'submitted', values: label('a'), suggestion_outcomes: confirmed })
    await put(record, 1, { status: 'submitted', values: label('a'), suggestion_outcomes: unseen })
    const history = await fixture.as(fixture.ann).get<{ items: { id: string; before: Response }[] }>(`/records/${record}/history`)
    const [change] = history.body.items
    expect(change?.before.suggestion_outcomes).toEqual(confirmed)
    await fixture.as(fixture.ann).post(`/records/${record}/history/${change?.id}/restore`, {})
    expect(await stored(record)).toMatchObject({ version: 3, suggestion_outcomes: confirmed })
  })

  it.each([
    ['an unknown outcome', { label: { outcome: 'guessed', agent: null } }],
    ['an agent that is not a text', { label: { outcome: 'changed', agent: 1 } }],
    ['an unknown question', { other: { outcome: 'changed', agent: null } }],
    ['a list', []],
  ])('are refused with %s', async (_, suggestion_outcomes) => {
    const record = await fixture.newRecord()
    expect((await put(record, null, { status: 'draft', values: {}, suggestion_outcomes })).status).toBe(422)
  })
})
