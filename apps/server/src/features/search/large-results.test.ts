import type { Dataset } from '@postil/contract/datasets.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { detail } from '@postil/testkit/detail.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addRecords, answerStatus, must, names, recordStatus, search, text } from './testing/searching.ts'

let server: TestServer
let owner: Client
beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
})
afterAll(() => server.close())
const add = (dataset: Dataset, items: readonly object[]) => addRecords(owner, dataset, items)

describe('a large result', () => {
  const COUNT = 2600
  let dataset: Dataset
  let user: Client
  let ids: string[]
  const added: { external_id: string; n: number; kind: string }[] = []
  const grow = async (count: number) => {
    const items = Array.from({ length: count }, (_, i) => {
      const n = added.length + i
      return { external_id: `r${n}`, n: (n * 7919) % 1000, kind: n % 3 === 0 ? 'rare' : 'often' }
    })
    const made: string[] = []
    for (let at = 0; at < count; at += 500) {
      const part = items.slice(at, at + 500)
      made.push(
        ...(await add(
          dataset,
          part.map(({ external_id, n, kind }) => ({
            external_id,
            fields: { text: `common ${kind} word${n}` },
            metadata: { n, kind },
            vectors: { v: [1, n] },
          })),
        )),
      )
    }
    added.push(...items)
    return made
  }
  beforeAll(async () => {
    dataset = await server.createDataset({
      vectors_settings: [{ name: 'v', dimensions: 2 }],
      metadata_properties: [{ name: 'n', settings: { type: 'integer' } }],
    })
    user = server.clientFor(await server.createUser({ workspaces: [dataset.workspace_id] }))
    ids = await grow(COUNT)
  }, 60_000)
  const all = async (client: Client, body: object, own = false) => {
    const found: string[] = []
    for (let offset = 0; ; offset += 1000) {
      const page = await search(client, dataset, body, { own, page: `?limit=1000&offset=${offset}` })
      if (page.items.length === 0) return { found, total: page.total }
      found.push(...names(page))
    }
  }
  const byNumber = { sort: [{ scope: { entity: 'metadata', metadata_property: 'n' }, order: 'desc' }] }
  const sortedNames = () =>
    [...added]
      .map((one, i) => ({ ...one, i }))
      .sort((a, b) => b.n - a.n || a.i - b.i)
      .map(({ external_id }) => external_id)

  it('can be paged through to the end, in every order, even while it grows', async () => {
    for (let turn = 0; turn < 2; turn++) {
      const inserted = added.map(({ external_id }) => external_id)
      expect(await all(owner, {})).toEqual({ found: inserted, total: added.length })
      expect(await all(owner, byNumber)).toEqual({ found: sortedNames(), total: added.length })
      const common = await all(owner, text('common'))
      expect([...common.found].sort()).toEqual([...inserted].sort())
      const rare = await all(owner, text('rare'))
      expect(rare.total).toBe(added.filter(({ kind }) => kind === 'rare').length)
      expect(new Set(rare.found).size).toBe(rare.total)
      const own = await all(user, {}, true)
      expect([...own.found].sort()).toEqual([...inserted].sort())
      expect((await all(user, text('common'), true)).found).toEqual(own.found)
      await grow(30)
    }
  })

  it('has the same queue as the list that contains it', async () => {
    const queue = { filters: { and: [answerStatus('pending'), recordStatus('pending')] } }
    const list = {
      filters: {
        and: [...queue.filters.and, { type: 'range', scope: { entity: 'record', property: 'inserted_at' }, ge: '1999' }],
      },
    }
    for (let turn = 0; turn < 3; turn++) {
      const whole = await all(user, list, true)
      for (const [offset, limit] of [
        [0, 10],
        [7, 50],
        [300, 20],
        [600, 10],
        [whole.total - 3, 10],
        [whole.total, 5],
      ] as const) {
        const page = await search(user, dataset, queue, { own: true, page: `?offset=${offset}&limit=${limit}` })
        expect(names(page)).toEqual(whole.found.slice(offset, offset + limit))
        expect(page.total).toBe(whole.total)
      }
      const answered = whole.found.slice(0, 20).map((name) => ids[Number(name.slice(1))])
      const items = answered
        .filter((id) => id !== undefined)
        .map((record_id, i) => ({
          record_id,
          status: i % 2 === 0 ? 'submitted' : 'discarded',
          values: { label: { value: 'yes' } },
        }))
      must(await user.post('/me/responses/bulk', { items }))
    }
  })

  it('of similar records has at most 1,000 records', async () => {
    const like = (page: string, filters?: object) =>
      search(owner, dataset, { query: { vector: { name: 'v', value: [0, 1] } }, ...filters }, { page })
    expect((await like('?limit=5')).total).toBe(1000)
    const last = await like('?offset=990&limit=100')
    expect(last.items).toHaveLength(10)
    expect(await like('?offset=1000&limit=10')).toEqual({ items: [], total: 0 })
    const some = { filters: { and: [{ type: 'range', scope: { entity: 'metadata', metadata_property: 'n' }, ge: 990 }] } }
    const few = await like('?limit=100', some)
    expect(few.total).toBe(added.filter(({ n }) => n >= 990).length)
    expect(few.items.map(({ query_score }) => query_score)).toEqual(
      few.items.map(({ query_score }) => query_score).sort((a, b) => b! - a!),
    )
  })

  detail('by a property added later is correct immediately', async () => {
    must(
      await owner.post(`/datasets/${dataset.id}/metadata-properties`, {
        name: 'kind',
        title: 'kind',
        settings: { type: 'terms' },
      }),
    )
    const scope = { entity: 'metadata', metadata_property: 'kind' }
    const rare = { filters: { and: [{ type: 'terms', scope, values: ['rare'] }] } }
    const expected = added.filter(({ kind }) => kind === 'rare').length
    const order = [...added]
      .map((one, i) => ({ ...one, i }))
      .sort((a, b) => (a.kind < b.kind ? 1 : a.kind > b.kind ? -1 : a.i - b.i))
      .map(({ external_id }) => external_id)
    for (let i = 0; i < 10; i++) {
      expect((await search(owner, dataset, rare)).total).toBe(0 + expected)
      expect(names(await search(owner, dataset, { sort: [{ scope, order: 'desc' }] }, { page: '?limit=1000' }))).toEqual(
        order.slice(0, 1000),
      )
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  })
})
