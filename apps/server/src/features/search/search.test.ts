import type { Dataset } from '@postil/contract/datasets.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addRecords, answerStatus, type Found, must, names, search, text } from './testing/searching.ts'

let server: TestServer
let owner: Client
beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
})
afterAll(() => server.close())
const add = (dataset: Dataset, items: readonly object[]) => addRecords(owner, dataset, items)

describe('two stores in one process', () => {
  it('don’t share caches', async () => {
    const other = await bootServer()
    try {
      const found: number[] = []
      for (const [which, word] of [
        [server, 'first'],
        [other, 'second'],
      ] as const) {
        const dataset = await which.createDataset()
        const client = which.clientFor(which.owner)
        must(await client.post(`/datasets/${dataset.id}/records/bulk`, { items: [{ fields: { text: word } }] }))
        for (const q of ['first', 'second'])
          found.push(must(await client.post<Found>(`/datasets/${dataset.id}/records/search`, text(q))).total)
      }
      expect(found).toEqual([1, 0, 0, 1])
    } finally {
      await other.close()
    }
  })
})

describe('relevance', () => {
  it('ranks records first in which rare words occur often and little else does', async () => {
    const dataset = await server.createDataset()
    const texts = {
      far: 'apple and a great many other words about something else',
      twice: 'apple apple',
      once: 'apple pie',
      none: 'pear',
    }
    await add(
      dataset,
      Object.entries(texts).map(([external_id, words]) => ({ external_id, fields: { text: words } })),
    )
    const found = await search(owner, dataset, text('apple'))
    expect(names(found)).toEqual(['twice', 'once', 'far'])
    expect(found.total).toBe(3)
    const scores = found.items.map(({ query_score }) => query_score)
    expect(scores.every((score) => score! > 0)).toBe(true)
    expect(names(await search(owner, dataset, text('apple | pear')))[0]).toBe('none')
    expect(await search(owner, dataset, text('-apple'))).toMatchObject({ total: 1, items: [{ query_score: 1 }] })
    const filter = { type: 'terms', scope: { entity: 'record', property: 'external_id' }, values: ['far', 'none', 'twice'] }
    expect(names(await search(owner, dataset, { ...text('apple'), filters: { and: [filter] } }))).toEqual(['twice', 'far'])
  })

  it('finds the right words in each field type, in one field or all', async () => {
    const dataset = await server.createDataset({
      fields: [
        { name: 'text', settings: { type: 'text' } },
        { name: 'chat', settings: { type: 'chat' } },
        { name: 'custom', settings: { type: 'custom', template: '' } },
        { name: 'image', settings: { type: 'image' } },
      ],
    })
    await add(dataset, [
      {
        external_id: 'r',
        fields: {
          text: "World-class café, don't! 3.14 漢字",
          chat: [{ role: 'System', content: 'Be brief' }],
          custom: { Key: { deep: ['Value', 42] } },
          image: 'https://example.org/secret.png',
        },
      },
    ])
    const totals = async (...queries: [string, string?][]) => {
      const found: number[] = []
      for (const [q, field] of queries) found.push((await search(owner, dataset, text(q, field))).total)
      return found
    }
    expect(
      await totals(
        ['world class'],
        ['WORLD'],
        ['café'],
        ["don't"],
        ['3.14'],
        ['字'],
        ['world brief'],
        ['key value 42'],
        ['System'],
      ),
    ).toEqual(Array.from({ length: 9 }, () => 1))
    expect(await totals(['cafe'], ['don'], ['3'], ['system'], ['Syst*'], ['secret'], ['"class brief"'], ['wor'])).toEqual(
      Array.from({ length: 8 }, () => 0),
    )
    expect(await totals(['brief', 'chat'], ['System', 'chat'], ['café', 'text'], ['deep', 'custom'])).toEqual([1, 1, 1, 1])
    expect(await totals(['brief', 'text'], ['System', 'text'], ['café', 'chat'], ['secret', 'image'])).toEqual([0, 0, 0, 0])
  })

  it('finds the parts of one written word only next to each other in one field', async () => {
    const dataset = await server.createDataset({
      fields: [
        { name: 'a', settings: { type: 'text' } },
        { name: 'b', settings: { type: 'text' } },
        { name: 'chat', settings: { type: 'chat' } },
        { name: 'custom', settings: { type: 'custom', template: '' } },
      ],
    })
    await add(dataset, [
      { external_id: 'apart', fields: { a: '東 user hello', b: '京都 example.com world' } },
      { external_id: 'reversed', fields: { a: '京都東 world hello example.com user' } },
      { external_id: 'whole', fields: { a: '東京都 user@example.com hello-world' } },
      { external_id: 'chat', fields: { a: '', chat: [{ role: 'user', content: 'hello-world 東京都 user@example.com' }] } },
      { external_id: 'messages', fields: { a: '', chat: ['hello', 'world'].map((content) => ({ role: 'user', content })) } },
      { external_id: 'custom', fields: { a: '', custom: { x: ['hello-world 東京都 user@example.com'] } } },
    ])
    for (const q of ['東京都', 'user@example.com', 'hello-world', 'hello-wrld~1', 'user@exam*', '東京*'])
      expect(names(await search(owner, dataset, text(q))).sort(), q).toEqual(['chat', 'custom', 'whole'])
    const apart = names(await search(owner, dataset, text('hello world')))
    expect(apart.sort()).toEqual(['apart', 'chat', 'custom', 'messages', 'reversed', 'whole'])
    expect(names(await search(owner, dataset, text('-hello-world'))).sort()).toEqual(['apart', 'messages', 'reversed'])
    expect(names(await search(owner, dataset, text('-hello-wor*'))).sort()).toEqual(['apart', 'messages', 'reversed'])
  })

  it('finds only words that begin with a prefix, including its punctuation', async () => {
    const dataset = await server.createDataset()
    const texts = ['3', '3 apples', '3.14', 'user', 'user@x', 'tag', '#tag', 'a bc', 'a/bc', 'v1', 'v1.2', "don't", 'don']
    await add(
      dataset,
      texts.map((one) => ({ external_id: one, fields: { text: one } })),
    )
    const found = async (q: string) => names(await search(owner, dataset, text(q))).sort()
    expect(await found('3.*')).toEqual(['3.14'])
    expect(await found('user@*')).toEqual(['user@x'])
    expect(await found('#tag*')).toEqual(['#tag'])
    expect(await found('a/b*')).toEqual(['a/bc'])
    expect(await found('v1.*')).toEqual(['v1.2'])
    expect(await found("don'*")).toEqual(["don't"])
    expect(await found('user@* | v1.*')).toEqual(['user@x', 'v1.2'])
    expect(await found('user -user@*')).toEqual(['user'])
  })

  it('finds a record by its ID or external ID, before records that contain it', async () => {
    const dataset = await server.createDataset({
      fields: [
        { name: 'text', settings: { type: 'text' } },
        { name: 'more', settings: { type: 'text' } },
      ],
    })
    const [id = ''] = await add(dataset, [
      { external_id: 'other', fields: { text: 'see ticket-17 ticket-17' } },
      { external_id: 'ticket-17', fields: { text: 'nothing' } },
      { external_id: 'my record', fields: { text: 'id:x' } },
      { external_id: 'ticket-18', fields: { text: 'ticket' } },
    ])
    const found = async (q: string, field?: string) => names(await search(owner, dataset, text(q, field)))
    expect(await found('ticket-17')).toEqual(['ticket-17', 'other'])
    expect(await found('id:ticket-17')).toEqual(['ticket-17'])
    expect(await found(' id: "my record" ')).toEqual(['my record'])
    expect(await found('my record')).toEqual(['my record'])
    expect(await found('id:x')).toEqual(['my record'])
    expect(await found(id)).toEqual(['other'])
    expect(await found(`id:${id.toUpperCase()}`)).toEqual(['other'])
    expect(await found('TICKET-17')).toEqual(['other'])
    expect(await found('ticket-1')).toEqual([])
    expect(await found('ticket-17', 'more')).toEqual([])
    expect(await found('id:ticket-17', 'more')).toEqual(['ticket-17'])
    expect(await found('-ticket-18')).toEqual(['other', 'ticket-17', 'my record', 'ticket-18'])
    await add(dataset, [{ external_id: 'ticket-19', fields: { text: 'later' } }])
    expect(await found('ticket-19')).toEqual(['ticket-19'])
    expect(names(await search(owner, dataset, text('id:ticket-19'), { own: true }))).toEqual(['ticket-19'])
  })

  it('refuses a query with too many expensive words and names the limit', async () => {
    const dataset = await server.createDataset()
    await add(dataset, [{ fields: { text: 'hello world' } }])
    const many = (n: number, word: (i: number) => string) => text(Array.from({ length: n }, (_, i) => word(i)).join(' | '))
    const path = `/datasets/${dataset.id}/records/search`
    for (const word of [
      (i: number) => `hell${i}~`,
      (i: number) => `hel${i}*`,
      (i: number) => `"a b${i}"~2`,
      (i: number) => `x/${i}*`,
    ]) {
      expect((await owner.post(path, many(32, word))).status).toBe(200)
      const refused = await owner.post<{ detail: string }>(path, many(33, word))
      expect(refused).toMatchObject({
        status: 422,
        body: { detail: 'At most 32 words and phrases of a search can end in * or ~, but this search has 33' },
      })
    }
    expect(
      names(
        await search(
          owner,
          dataset,
          many(256, (i) => `w${i}`),
        ),
      ),
    ).toEqual([])
  })

  it('finds texts by words with special characters, and misspelled words without a number of errors', async () => {
    const dataset = await server.createDataset()
    const texts = ['a\ufeffb', '#️⃣', '*️⃣', '1️⃣', 'x\u202fy', 'C:\\temp', 'İstanbul', 'straße', 'Bokrijk']
    await add(
      dataset,
      texts.map((one) => ({ external_id: one, fields: { text: one } })),
    )
    const found = async (q: string) => names(await search(owner, dataset, text(q)))
    for (const one of texts) expect(await found(one), one).toEqual([one])
    expect(await found('istanbul')).toEqual(['İstanbul'])
    expect(await found('bokrik~')).toEqual(['Bokrijk'])
    expect(await found('bokrk~')).toEqual(['Bokrijk'])
    expect(await found('bokr~')).toEqual([])
    expect(await found('bokrk~1')).toEqual([])
  })

  it('finds or stops finding a record as soon as it is stored', async () => {
    const dataset = await server.createDataset()
    const [id] = await add(dataset, [{ fields: { text: 'before' } }])
    const totals = async () => [
      (await search(owner, dataset, text('before'))).total,
      (await search(owner, dataset, text('after'))).total,
    ]
    expect(await totals()).toEqual([1, 0])
    must(await owner.patch(`/records/${id}`, { fields: { text: 'after' } }))
    expect(await totals()).toEqual([0, 1])
    must(await owner.delete(`/records/${id}`))
    expect(await totals()).toEqual([0, 0])
  })
})

describe('similarity', () => {
  let dataset: Dataset
  let ids: string[]
  beforeAll(async () => {
    dataset = await server.createDataset({
      vectors_settings: [{ name: 'v', dimensions: 2 }],
      metadata_properties: [{ name: 'kind', settings: { type: 'terms' } }],
    })
    const vectors: [string, number[] | null][] = [
      ['east', [1, 0]],
      ['north', [0, 3]],
      ['west', [-2, 0]],
      ['northeast', [1, 1]],
      ['east again', [5, 0]],
      ['nowhere', null],
    ]
    ids = await add(
      dataset,
      vectors.map(([external_id, v], i) => ({
        external_id,
        fields: { text: `place ${i < 3 ? 'old' : 'new'}` },
        metadata: { kind: i % 2 === 0 ? 'even' : 'odd' },
        ...(v && { vectors: { v } }),
      })),
    )
  })
  const like = (query: object, rest: object = {}, page = '') =>
    search(owner, dataset, { query: { vector: { name: 'v', ...query } }, ...rest }, { page })

  it('is scored as (1 + cosine) / 2, best first, with ties in insertion order', async () => {
    const found = await like({ value: [2, 0] })
    expect(names(found)).toEqual(['east', 'east again', 'northeast', 'north', 'west'])
    const scores = found.items.map(({ query_score }) => query_score)
    for (const [i, expected] of [1, 1, (1 + Math.SQRT1_2) / 2, 0.5, 0].entries()) expect(scores[i]).toBeCloseTo(expected, 6)
    expect(found.total).toBe(5)
  })
  it('least similar means most similar to the opposite vector', async () => {
    const found = await like({ value: [2, 0], order: 'least_similar' })
    expect(names(found)).toEqual(['west', 'north', 'northeast', 'east', 'east again'])
    expect(found.items[0]?.query_score).toBeCloseTo(1, 6)
  })
  it('excludes the record itself', async () => {
    expect(names(await like({ record_id: ids[0] }))).toEqual(['east again', 'northeast', 'north', 'west'])
    expect((await like({ record_id: ids[0] })).total).toBe(4)
  })
  it('filters and text restrict the candidates before they are limited', async () => {
    const even = {
      filters: { and: [{ type: 'terms', scope: { entity: 'metadata', metadata_property: 'kind' }, values: ['even'] }] },
    }
    const found = await like({ value: [0, 1] }, even, '?limit=2')
    expect(names(found)).toEqual(['east', 'west'])
    expect(found.total).toBe(3)
    const both = await search(owner, dataset, { query: { vector: { name: 'v', value: [1, 0] }, text: { q: 'old' } } })
    expect(names(both)).toEqual(['east', 'north', 'west'])
  })
  it('pages through the best results, ends with an empty page and ignores sorting', async () => {
    const sort = { sort: [{ scope: { entity: 'record', property: 'inserted_at' }, order: 'desc' }] }
    expect(names(await like({ value: [2, 0] }, sort, '?offset=1&limit=2'))).toEqual(['east again', 'northeast'])
    expect(await like({ value: [2, 0] }, {}, '?offset=5&limit=5')).toEqual({ items: [], total: 5 })
    expect(await like({ value: [2, 0] }, {}, '?offset=1000&limit=5')).toEqual({ items: [], total: 0 })
  })
  it('shows an annotator the records that match their own answer status', async () => {
    const annotator = await server.createUser({ workspaces: [dataset.workspace_id] })
    const user = server.clientFor(annotator)
    must(await user.post(`/records/${ids[0]}/responses`, { status: 'draft', values: {} }))
    const body = { query: { vector: { name: 'v', value: [1, 0] } }, filters: { and: [answerStatus('pending')] } }
    expect(names(await search(user, dataset, body, { own: true }))).toEqual(['east again', 'northeast', 'north', 'west'])
  })
})

describe('an annotator’s order', () => {
  it('is personal and repeatable if the dataset is shuffled, and doesn’t change with answers', async () => {
    const dataset = await server.createDataset({ distribution: { strategy: 'overlap', min_submitted: 2 } })
    const ids = await add(
      dataset,
      Array.from({ length: 40 }, (_, i) => ({ external_id: `r${i}`, fields: { text: 'same' } })),
    )
    must(await server.clientFor(server.owner).put(`/datasets/${dataset.id}/queue-settings`, { shuffled: true }))
    const users = await Promise.all([0, 1].map(() => server.createUser({ workspaces: [dataset.workspace_id] })))
    const [a, b] = users.map((user) => server.clientFor(user)) as [Client, Client]
    const order = async (user: Client, body: object = {}) => names(await search(user, dataset, body, { own: true }))
    const first = await order(a)
    expect([...first].sort()).toEqual(Array.from({ length: 40 }, (_, i) => `r${i}`).sort())
    expect(await order(b)).not.toEqual(first)
    must(await a.post(`/records/${ids[3]}/responses`, { status: 'submitted', values: { label: { value: 'yes' } } }))
    expect(await order(a)).toEqual(first)
    expect(await order(a, text('same'))).toEqual(first)
    expect(await order(a, { filters: { and: [answerStatus('pending')] } })).toEqual(first.filter((name) => name !== 'r3'))
    expect(await order(b, { filters: { and: [answerStatus('pending')] } })).toHaveLength(40)
    expect(names(await search(owner, dataset, { filters: { and: [answerStatus('pending')] } }))).toEqual(
      Array.from({ length: 40 }, (_, i) => `r${i}`).filter((name) => name !== 'r3'),
    )
    const scores = (await search(a, dataset, {}, { own: true })).items.map(({ query_score }) => query_score!)
    expect(scores.every((score, i) => score > 0 && score <= 1 && (i === 0 || score <= scores[i - 1]!))).toBe(true)
  })

  it('shows only their own answers', async () => {
    const dataset = await server.createDataset()
    const [id] = await add(dataset, [{ fields: { text: 'x' } }])
    const users: TestUser[] = await Promise.all([0, 1].map(() => server.createUser({ workspaces: [dataset.workspace_id] })))
    for (const user of users) must(await server.clientFor(user).post(`/records/${id}/responses`, { status: 'draft', values: {} }))
    const page = '?include=responses'
    const authors = (found: Found) => found.items[0]?.record.responses?.map(({ user_id }) => user_id)
    expect(authors(await search(server.clientFor(users[1]!), dataset, {}, { own: true, page }))).toEqual([users[1]!.id])
    expect(authors(await search(owner, dataset, {}, { own: true, page }))).toEqual([])
    expect(authors(await search(owner, dataset, {}, { page }))).toEqual(users.map(({ id: user }) => user))
    expect((await search(owner, dataset, {})).items[0]?.record).not.toHaveProperty('responses')
  })
})
