import type { Dataset } from '@postil/contract/datasets.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addRecords, must, search } from './testing/searching.ts'

/** With this many records, a search computes the order of the whole dataset. Smaller results are sorted without it. */
const COUNT = 2600

let server: TestServer
let dataset: Dataset
let ids: string[]
let ann: TestUser
beforeAll(async () => {
  server = await bootServer()
  const scale = { type: 'rating', options: Array.from({ length: 11 }, (_, value) => ({ value })) }
  const questions = [
    { name: 'stars', required: true, settings: scale },
    { name: 'note', settings: { type: 'text' } },
  ]
  dataset = await server.createDataset({ questions, distribution: { strategy: 'overlap', min_submitted: 2 } })
  ann = await server.createUser({ workspaces: [dataset.workspace_id] })
  const owner = server.clientFor(server.owner)
  const submitted = (user: TestUser, value: number) => ({
    user_id: user.id,
    status: 'submitted',
    values: { stars: { value }, note: { value: 'same' } },
  })
  ids = []
  for (let from = 0; from < COUNT; from += 500)
    ids.push(
      ...(await addRecords(
        owner,
        dataset,
        Array.from({ length: Math.min(500, COUNT - from) }, (_, i) => ({
          fields: { text: `record ${from + i}` },
          responses: [submitted(ann, 0), ...((from + i) % 13 < 11 ? [submitted(server.owner, (from + i) % 13)] : [])],
        })),
      )),
    )
})
afterAll(() => server.close())

/**
 * The rating in the second answer; null if there is no second answer. The rating in the first answer is always 0, so this rating
 * determines the agreement.
 */
const distance = (index: number) => (index % 13 < 11 ? index % 13 : null)
const stars = { entity: 'record', property: 'agreement', question: 'stars' }
const owner = () => server.clientFor(server.owner)
const found = async (body: object, page = '?limit=1000') => {
  const { items, total } = await search(owner(), dataset, body, { page })
  return { indexes: items.map(({ number }) => number - 1), total }
}
/** All records in the expected order. */
const sorted = (order: 'asc' | 'desc'): number[] => {
  const key = (index: number) => {
    const far = distance(index)
    return far === null ? 99 : order === 'asc' ? -far : far
  }
  return Array.from({ length: COUNT }, (_, i) => i).sort((a, b) => key(a) - key(b) || a - b)
}
const fromTwoParts = {
  filters: { and: [{ type: 'terms', scope: { entity: 'record', property: 'status' }, values: ['pending', 'completed'] }] },
}

describe.each(['asc', 'desc'] as const)('records sorted by agreement, %s', (order) => {
  it.each([0, 50, 1900, 2300, 2599])('are in order from position %i, with those without one last', async (offset) => {
    const page = `?limit=20&offset=${offset}`
    for (const filters of [{}, fromTwoParts]) {
      const { indexes, total } = await found({ ...filters, sort: [{ scope: stars, order }] }, page)
      expect(indexes).toEqual(sorted(order).slice(offset, offset + 20))
      expect(total).toBe(COUNT)
    }
  })
  it('can be filtered', async () => {
    const text = { query: { text: { q: 'record' } } }
    const { indexes } = await found({ ...text, sort: [{ scope: stars, order }] }, '?limit=10')
    expect(indexes).toEqual(sorted(order).slice(0, 10))
    const completed = {
      filters: { and: [{ type: 'terms', scope: { entity: 'record', property: 'status' }, values: ['pending'] }] },
    }
    const pending = sorted(order).filter((index) => distance(index) === null)
    expect((await found({ ...completed, sort: [{ scope: stars, order }] })).indexes).toEqual(pending.slice(0, 1000))
  })
})

describe('agreement in filters', () => {
  const range = (bounds: object) => ({ filters: { and: [{ type: 'range', scope: stars, ...bounds }] } })
  const all = (test: (far: number) => boolean) =>
    Array.from({ length: COUNT }, (_, i) => i).filter((i) => distance(i) !== null && test(distance(i) ?? 0))
  it('finds a range', async () => {
    expect((await found(range({ le: 0 }))).indexes).toEqual(all((far) => far === 10))
    expect((await found(range({ ge: 0.5, le: 0.65 }))).indexes).toEqual(all((far) => far === 4 || far === 5))
    expect((await found(range({ ge: 0 }))).total).toBe(all(() => true).length)
  })
  it('finds exact values', async () => {
    const exact = { filters: { and: [{ type: 'terms', scope: stars, values: [1, '0.5'] }] } }
    expect((await found(exact)).indexes).toEqual(all((far) => far === 0 || far === 5))
  })
  it('changes with each answer', async () => {
    const index = 10
    const { body } = await owner().get<{ items: { id: string; responses: { id: string; user_id: string }[] }[] }>(
      `/datasets/${dataset.id}/records?limit=20&include=responses`,
    )
    const { id } = body.items[index]?.responses.find(({ user_id }) => user_id === ann.id) ?? { id: '' }
    const change = async (value: number) =>
      must(await owner().put(`/responses/${id}`, { status: 'submitted', values: { stars: { value } } }))
    expect((await found(range({ le: 0 }), '?limit=1')).indexes).toEqual([index])
    await change(10)
    expect((await found(range({ le: 0 }), '?limit=1')).indexes).not.toEqual([index])
    expect((await found({ sort: [{ scope: stars, order: 'asc' }] }, '?limit=1')).indexes).not.toEqual([index])
    await change(0)
    expect((await found(range({ le: 0 }), '?limit=1')).indexes).toEqual([index])
  })

  it.each([
    ['without a question', { entity: 'record', property: 'agreement' }, "The property 'agreement' of records needs a 'question'"],
    ['of an unknown question', { ...stars, question: 'no' }, 'Question `no` not found in the dataset'],
    [
      'of a text question',
      { ...stars, question: 'note' },
      'Agreement is not calculated for question `note`, because its answers are free text',
    ],
  ])('is refused %s', async (_, scope, detail) => {
    const path = `/datasets/${dataset.id}/records/search`
    for (const body of [{ filters: { and: [{ type: 'range', scope, le: 1 }] } }, { sort: [{ scope, order: 'asc' }] }])
      expect(await owner().post(path, body)).toMatchObject({ status: 422, body: { detail } })
    const settings = { order: [{ scope, order: 'asc' }] }
    expect(await owner().put(`/datasets/${dataset.id}/queue-settings`, settings)).toMatchObject({ status: 422, body: { detail } })
  })

  it('is refused for annotators, who would learn how others have answered', async () => {
    const path = `/me/datasets/${dataset.id}/records/search`
    for (const body of [range({ le: 0.5 }), { sort: [{ scope: stars, order: 'asc' }] }]) {
      expect((await server.clientFor(ann).post(path, body)).status).toBe(403)
      expect((await owner().post(path, body)).status).toBe(200)
    }
  })
})
