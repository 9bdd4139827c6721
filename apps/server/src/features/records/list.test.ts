import type { Record as WireRecord } from '@postil/contract/records.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fixture } from './testing/boot.ts'
import { bootFixture, must } from './testing/boot.ts'

type Page = { items: WireRecord[]; total: number }

let fixture: Fixture
let made: WireRecord[]
const list = (query = '') => fixture.server.clientFor(fixture.admin).get<Page>(`/datasets/${fixture.dataset}/records${query}`)
const page = async (query = ''): Promise<Page> => must(await list(query))

beforeAll(async () => {
  fixture = await bootFixture()
  const { label, stars } = fixture.questions
  made = []
  for (let bulk = 0; bulk < 5; bulk += 1) {
    const items = Array.from({ length: 500 }, (_, i) => {
      const n = bulk * 500 + i
      return {
        fields: { text: `record ${n}` },
        vectors: n < 60 ? { w: [n + 1, 1], ...(n % 2 === 0 && { v: [1, n, 2] }) } : {},
        suggestions:
          n < 60
            ? [{ question_id: stars, value: 1 + (n % 3) }, ...(n % 3 === 0 ? [{ question_id: label, value: 'a' }] : [])]
            : [],
        responses: n % 50 === 0 ? [{ user_id: fixture.ann.id, status: 'draft', values: {} }] : [],
      }
    })
    made.push(...must(await fixture.post(items)).items)
  }
})
afterAll(() => fixture.close())

describe('a page of all records', () => {
  it('is in insertion order, 50 at a time, with the total, without lists', async () => {
    const { items, total } = await page()
    expect(total).toBe(2500)
    expect(items.map(({ id }) => id)).toEqual(made.slice(0, 50).map(({ id }) => id))
    const { responses: _r, suggestions: _s, vectors: _v, ...bare } = made[0] as WireRecord
    expect(items[0]).toEqual(bare)
  })

  it.each([
    [0, 1000],
    [1, 1],
    [1020, 10],
    [1023, 1],
    [1024, 2],
    [2047, 3],
    [2499, 1000],
    [2500, 5],
    [100_000_000, 5],
  ])('starts at offset %i', async (offset, limit) => {
    const { items, total } = await page(`?offset=${offset}&limit=${limit}`)
    expect(total).toBe(2500)
    expect(items.map(({ id }) => id)).toEqual(made.slice(offset, offset + limit).map(({ id }) => id))
  })

  it.each(['offset=-1', 'limit=0', 'limit=1001', 'offset=x', 'limit='])('rejects %s', async (query) => {
    expect(await list(`?${query}`)).toMatchObject({
      status: 422,
      body: { detail: { params: { errors: [{ loc: ['query', query.split('=')[0]] }] } } },
    })
  })

  it('omits deleted records', async () => {
    const gone = new Set([3, 4, 5, ...Array.from({ length: 90 }, (_, i) => 1000 + i)])
    const ids = [...gone].map((n) => made[n]?.id).join(',')
    expect((await fixture.server.clientFor(fixture.admin).delete(`/datasets/${fixture.dataset}/records?ids=${ids}`)).status).toBe(
      204,
    )
    made = made.filter((_, n) => !gone.has(n))
    for (const offset of [0, 990, 1000, 1100, 2300]) {
      const { items, total } = await page(`?offset=${offset}&limit=200`)
      expect(total).toBe(made.length)
      expect(items.map(({ id }) => id)).toEqual(made.slice(offset, offset + 200).map(({ id }) => id))
    }
    expect(await fixture.differences()).toEqual([])
  })
})

describe('include', () => {
  const sent = ({ id, ...record }: WireRecord, keys: readonly ('responses' | 'suggestions' | 'vectors')[]) => {
    const { responses, suggestions, vectors, ...bare } = record
    return { id, ...bare, ...Object.fromEntries(keys.map((key) => [key, { responses, suggestions, vectors }[key]])) }
  }
  it.each<[string, readonly ('responses' | 'suggestions' | 'vectors')[]]>([
    ['include=responses', ['responses']],
    ['include=responses,suggestions', ['responses', 'suggestions']],
    ['include=responses&include=suggestions,vectors', ['responses', 'suggestions', 'vectors']],
    ['include=vectors:w,v', ['vectors']],
    ['include=suggestions&include=vectors:v,unknown,w', ['suggestions', 'vectors']],
    ['include=responses:x', []],
  ])('%s adds only that', async (query, keys) => {
    const { items } = await page(`?limit=70&${query}`)
    expect(items).toEqual(made.slice(0, 70).map((record) => sent(record, keys)))
  })

  it('of some vectors adds those, by record for any number of vectors', async () => {
    const { items } = await page('?limit=60&include=vectors:v')
    expect(items).toHaveLength(60)
    expect(items.map(({ vectors }) => vectors)).toEqual(
      made.slice(0, 60).map(({ vectors }) => (vectors && 'v' in vectors ? { v: vectors.v } : {})),
    )
    expect((await page('?limit=1&include=vectors:unknown')).items[0]?.vectors).toEqual({})
  })

  it.each([
    'include=',
    'include=unknown',
    'include=responses,unknown',
    'include=unknown:x',
    'include=vectors&include=vectors:v',
    'include=responses,vectors:v',
  ])('%s is rejected with a message', async (query) => {
    expect(await list(`?${query}`)).toMatchObject({ status: 422, body: { detail: expect.any(String) } })
  })
})
