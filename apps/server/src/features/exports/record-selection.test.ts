import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFixture, type ExportFixture, lines } from './testing/fixtures.ts'

let server: TestServer
let fixture: ExportFixture
beforeAll(async () => {
  server = await bootServer()
  fixture = await createFixture(server)
})
afterAll(() => server.close())
const text = (query: string) => fixture.text(query)
const fetchFile: ExportFixture['fetchFile'] = (...args) => fixture.fetchFile(...args)

describe('an export of selected records', () => {
  const ids = async (search: unknown) =>
    lines(await text(`format=jsonl&search=${encodeURIComponent(JSON.stringify(search))}`)).map((row) => row['_server_id'])
  it('contains the search results in search order', async () => {
    const submitted = { type: 'terms', scope: { entity: 'response', property: 'status' }, values: ['submitted'] }
    expect(await ids({ filters: { and: [submitted] } })).toEqual([fixture.records[0]?.id])
    const newest = { scope: { entity: 'record', property: 'inserted_at' }, order: 'desc' }
    expect(await ids({ sort: [newest] })).toEqual(fixture.records.map(({ id }) => id).reverse())
    expect(await ids({ query: { text: { q: 'plain' } } })).toEqual([fixture.records[2]?.id])
  })

  it('returns an error that names the invalid part of the search', async () => {
    for (const search of [
      '{',
      '{"filters":{"and":[]}}',
      '{"sort":[{"scope":{"entity":"metadata","metadata_property":"none"},"order":"asc"}]}',
    ])
      expect((await fetchFile(`format=jsonl&search=${encodeURIComponent(search)}`)).status).toBe(422)
    expect((await fetchFile('format=doc')).status).toBe(422)
    expect((await fetchFile('')).status).toBe(422)
  })

  it('has a file name that is safe in headers', async () => {
    const { headers } = await fetchFile('format=csv')
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="Gr__e_ _1_.csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%2C%20%221%22.csv`,
    )
  })

  it('returns 403 for users who can’t see all answers', async () => {
    const answers = await Promise.all(
      [fixture.ann, fixture.stranger, server.owner].map((user) => fetchFile('format=jsonl', user)),
    )
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200])
    const unknown = await fetchFile(`format=jsonl&after=${fixture.dataset.id}`)
    expect(unknown.status).toBe(404)
  })

  it('reads many records in batches without losing or repeating any', async () => {
    const many = await server.createDataset({ workspace_id: fixture.dataset.workspace_id })
    for (let start = 0; start < 1300; start += 500) {
      const items = Array.from({ length: Math.min(500, 1300 - start) }, (_, i) => ({ fields: { text: `record ${start + i}` } }))
      await server.clientFor(fixture.admin).post(`/datasets/${many.id}/records/bulk`, { items })
    }
    const { body } = await server.clientFor(fixture.admin).get<string>(`/datasets/${many.id}/records/download?format=jsonl`)
    expect(lines(body).map((row) => row['text'])).toEqual(Array.from({ length: 1300 }, (_, i) => `record ${i}`))
    const search = encodeURIComponent(JSON.stringify({ query: { text: { q: 'record' } } }))
    const found = await server
      .clientFor(fixture.admin)
      .get<string>(`/datasets/${many.id}/records/download?format=jsonl&search=${search}`)
    expect(new Set(lines(found.body).map((row) => row['text'])).size).toBe(1300)
  })
})

describe('an interrupted export', () => {
  const options = ['yes', 'no'].map((value) => ({ value, text: value }))
  /** Creates twenty records that a search finds, and returns functions to download and change them. */
  const begin = async () => {
    const dataset = await server.createDataset({
      workspace_id: fixture.dataset.workspace_id,
      fields: [{ name: 'text', required: true, settings: { type: 'text' } }],
      questions: [{ name: 'label', required: true, settings: { type: 'label_selection', options } }],
      metadata_properties: [
        { name: 'kind', settings: { type: 'terms' } },
        { name: 'size', settings: { type: 'integer' } },
      ],
      vectors_settings: [{ name: 'v', dimensions: 2 }],
    })
    const admin = server.clientFor(fixture.admin)
    const items = Array.from({ length: 20 }, (_, i) => ({
      external_id: `r${String(i).padStart(2, '0')}`,
      fields: { text: `word ${i}` },
      metadata: { kind: 'a', size: i },
      vectors: { v: [1, i] },
    }))
    const made = await admin.post<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records/bulk`, { items })
    const idAt = (i: number) => made.body.items[i]?.id ?? ''
    const download = async (search: object, after?: string) => {
      const query = new URLSearchParams({ format: 'jsonl', search: JSON.stringify(search), ...(after && { after }) })
      const { status, body } = await admin.get<string | { detail: string }>(`/datasets/${dataset.id}/records/download?${query}`)
      if (typeof body === 'object') return { status, detail: body.detail }
      return { status, numbers: lines(body ?? '').map((row) => Number(String(row['id']).slice(1))) }
    }
    const change = async (i: number, metadata: object) =>
      expect((await admin.patch(`/records/${idAt(i)}`, { metadata })).status).toBe(200)
    return { idAt, download, change }
  }
  const kindA = { and: [{ type: 'terms', scope: { entity: 'metadata', metadata_property: 'kind' }, values: ['a'] }] }
  const by = (scope: object, order: 'asc' | 'desc') => ({ filters: kindA, sort: [{ scope, order }] })
  const indexesAfter = (i: number) => Array.from({ length: 19 - i }, (_, n) => i + 1 + n)

  it('resumes after its last record even if the search no longer finds that record', async () => {
    const { idAt, download, change } = await begin()
    expect((await download({ filters: kindA })).numbers).toHaveLength(20)
    await change(9, { kind: 'b', size: 9 })
    await change(12, { kind: 'b', size: 12 })
    const rest = indexesAfter(9).filter((i) => i !== 12)
    expect(await download({ filters: kindA }, idAt(9))).toEqual({ status: 200, numbers: rest })
    expect(await download({ filters: kindA }, idAt(19))).toEqual({ status: 200, numbers: [] })
  })

  it('resumes in a stable order while the search still finds the last record', async () => {
    const { idAt, download, change } = await begin()
    const newest = by({ entity: 'record', property: 'inserted_at' }, 'desc')
    const named = by({ entity: 'record', property: 'external_id' }, 'asc')
    expect((await download(named, idAt(9))).numbers).toEqual(indexesAfter(9))
    const { numbers = [] } = await download(newest)
    expect((await download(newest, idAt(9))).numbers).toEqual(numbers.slice(numbers.indexOf(9) + 1))
    await change(9, { kind: 'b', size: 9 })
    for (const search of [newest, named])
      expect(await download(search, idAt(9))).toEqual({
        status: 422,
        detail: expect.stringContaining('no longer matches the search'),
      })
  })

  it('can’t resume in an order in which records can move', async () => {
    const { idAt, download } = await begin()
    const searches = [
      by({ entity: 'metadata', metadata_property: 'size' }, 'asc'),
      by({ entity: 'record', property: 'updated_at' }, 'desc'),
      by({ entity: 'record', property: 'status' }, 'asc'),
      { query: { text: { q: 'word' } } },
      { query: { vector: { name: 'v', value: [1, 0] } } },
    ]
    for (const search of searches) {
      expect((await download(search)).status).toBe(200)
      expect(await download(search, idAt(9))).toEqual({ status: 422, detail: expect.stringContaining('sort order changes') })
    }
  })
})
