import type { Response } from '@postil/contract/responses.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ResponsesFixture } from './testing/fixtures.ts'
import { createFixture, label, UNKNOWN } from './testing/fixtures.ts'
import { rowsOf } from './testing/operations.ts'

let fixture: ResponsesFixture
let server: ResponsesFixture['server']
let ann: TestUser
let bob: TestUser
beforeAll(async () => {
  fixture = await createFixture()
  ;({ server, ann, bob } = fixture)
})
afterAll(() => server.close())

const as = (user: TestUser) => fixture.as(user)
const newRecord = () => fixture.newRecord()
const answer: ResponsesFixture['answer'] = (...args) => fixture.answer(...args)
const differences = () => fixture.differences()

describe('an answer', () => {
  it('is created, replaced and deleted', async () => {
    const record = await newRecord()
    const created = await answer(ann, record, { status: 'draft', values: label('a'), user_id: bob.id, id: UNKNOWN })
    expect(created).toMatchObject({
      status: 201,
      body: { status: 'draft', values: label('a'), record_id: record, user_id: ann.id, version: 1 },
    })
    expect(created.body.updated_at).toBe(created.body.inserted_at)
    const path = `/responses/${created.body.id}`
    const replaced = await as(ann).put<Response>(path, { status: 'submitted', values: { ...label('b'), stars: { value: 2 } } })
    expect(replaced).toMatchObject({ status: 200, body: { id: created.body.id, status: 'submitted', version: 2 } })
    expect(replaced.body.values).toEqual({ label: { value: 'b' }, stars: { value: 2 } })
    expect(replaced.body.updated_at > created.body.updated_at).toBe(true)
    const deleted = await as(ann).delete<Response>(path)
    expect(deleted).toMatchObject({ status: 200, body: replaced.body })
    expect((await as(ann).delete(path)).status).toBe(404)
    expect((await as(ann).put(path, { status: 'draft' })).status).toBe(404)
    expect(await differences()).toEqual([])
  })

  it('is one per user and record', async () => {
    const record = await newRecord()
    await answer(ann, record, { status: 'draft' })
    expect(await answer(ann, record, { status: 'nonsense' })).toMatchObject({ status: 422 })
    // A conflict takes precedence over invalid values.
    expect(await answer(ann, record, { status: 'submitted', values: {} })).toMatchObject({ status: 409 })
    expect(await answer(bob, record, { status: 'draft' })).toMatchObject({ status: 201 })
  })

  it('has empty values when they are omitted, and a replacement drops the old ones', async () => {
    const record = await newRecord()
    const created = await answer(ann, record, { status: 'discarded' })
    expect(created.body.values).toEqual({})
    await as(ann).put(`/responses/${created.body.id}`, { status: 'draft', values: label('a') })
    const replaced = await as(ann).put<Response>(`/responses/${created.body.id}`, { status: 'draft' })
    expect(replaced.body.values).toEqual({})
    expect(await as(ann).put(`/responses/${created.body.id}`, { status: 'submitted' })).toMatchObject({
      status: 422,
      body: { detail: { params: { errors: [{ type: 'missing', loc: ['body', 'submitted', 'values'] }] } } },
    })
  })

  it('keeps its updated_at when a replacement changes nothing', async () => {
    const record = await newRecord()
    const { body } = await answer(ann, record, { status: 'draft', values: { ...label('a'), stars: { value: 1 } } })
    const same = { status: 'draft', values: { stars: { value: 1 }, ...label('a') } }
    expect((await as(ann).put<Response>(`/responses/${body.id}`, same)).body).toEqual(body)
    const history = await server.tool.read(rowsOf, { table: 'history' })
    expect(history.filter((row) => row.subject_id === body.id)).toEqual([])
  })

  it('returns 404 for a missing record or response', async () => {
    expect(await answer(ann, UNKNOWN, { status: 'draft' })).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining(UNKNOWN) },
    })
    expect(await as(ann).put(`/responses/${UNKNOWN}`, { status: 'draft' })).toMatchObject({ status: 404 })
    expect(await as(ann).delete(`/responses/${UNKNOWN}`)).toMatchObject({ status: 404 })
    expect(await as(ann).delete('/responses/nonsense')).toMatchObject({ status: 422 })
  })
})

describe('a bulk answer request', () => {
  const bulk = (user: TestUser, items: unknown[]) =>
    as(user).post<{ items: { item: Response | null; error: { detail: string } | null }[] }>('/me/responses/bulk', { items })

  it('creates and replaces in order, with individual failures', async () => {
    const [first, second] = [await newRecord(), await newRecord()]
    const { status, body } = await bulk(ann, [
      { record_id: first, status: 'submitted', values: label('a') },
      { record_id: UNKNOWN, status: 'draft' },
      { record_id: second, status: 'submitted', values: label('nonsense') },
      { record_id: first, status: 'discarded', values: null },
      { record_id: second, status: 'draft', values: label('b') },
    ])
    expect(status).toBe(200)
    expect(body.items.map(({ item, error }) => [item?.status ?? null, item?.version ?? null, error === null])).toEqual([
      ['submitted', 1, true],
      [null, null, false],
      [null, null, false],
      ['discarded', 2, true],
      ['draft', 1, true],
    ])
    expect(body.items[1]?.error?.detail).toContain(UNKNOWN)
    expect(body.items[3]?.item?.id).toBe(body.items[0]?.item?.id)
    expect(await differences()).toEqual([])
  })

  it('changes the updated_at of an existing answer, even without changes', async () => {
    const record = await newRecord()
    const item = { record_id: record, status: 'draft', values: label('a') }
    const { body } = await bulk(ann, [item, item])
    const [first, second] = body.items
    expect((second?.item?.updated_at ?? '') > (first?.item?.updated_at ?? '')).toBe(true)
  })

  it('reports a record of another workspace as forbidden', async () => {
    const record = await newRecord()
    expect((await bulk(fixture.stranger, [{ record_id: record, status: 'draft' }])).body.items).toEqual([
      { item: null, error: { detail: 'argilla.api.errors::ForbiddenOperationError(detail=Operation not allowed)' } },
    ])
  })

  it('reports a wrong value, question or record with its item, and stores the other items', async () => {
    const wrong: unknown[] = [
      ...[[1], [null], [true], ['x', 1], ['x', {}], [[]], 'x', 7, [], ['nonsense'], [{ value: 'x', rank: 1 }]].map((value) => ({
        values: { ...label('a'), tags: { value } },
      })),
      ...['label', 'stars', 'order', 'words'].map((name) => ({ values: { ...label('a'), [name]: { value: [1] } } })),
      { values: { ...label('a'), other: { value: 'a' } } },
      { values: { stars: { value: 1 } } },
      { values: {} },
      { record_id: UNKNOWN, values: label('a') },
    ]
    const [first, last] = [await newRecord(), await newRecord()]
    const record = await newRecord()
    const good = (record_id: string) => ({ record_id, status: 'submitted', values: label('a') })
    const items = [good(first), ...wrong.map((item) => ({ ...good(record), ...(item as object) })), good(last)]
    const { status, body } = await bulk(ann, items)
    expect(status).toBe(200)
    const stored = body.items.map(({ item }) => item?.record_id ?? null)
    expect(stored).toEqual([first, ...wrong.map(() => null), last])
    for (const { item, error } of body.items) {
      expect(error).toEqual(item === null ? { detail: expect.stringMatching(/./) } : null)
    }
    expect(body.items[1]?.error?.detail).toContain('tags')
    expect(await differences()).toEqual([])
  })

  it('is rejected as a whole for a malformed item', async () => {
    const record = await newRecord()
    for (const malformed of [
      { record_id: record, status: 'submitted' },
      { record_id: record, status: 'pending' },
      { record_id: 'nonsense', status: 'draft' },
      { record_id: record, status: 'draft', values: [] },
      ...[null, true, 1.5, {}, [{ value: 'x', rank: 'first' }]].map((value) => ({
        record_id: record,
        status: 'draft',
        values: { tags: { value } },
      })),
    ]) {
      expect([malformed, (await bulk(ann, [{ record_id: record, status: 'draft' }, malformed])).status]).toEqual([malformed, 422])
    }
    expect((await bulk(ann, [])).status).toBe(422)
    expect(
      (
        await bulk(
          ann,
          Array.from({ length: 101 }, () => ({ record_id: record, status: 'draft' })),
        )
      ).status,
    ).toBe(422)
    expect((await answer(ann, record, { status: 'draft' })).status).toBe(201)
  })
})
