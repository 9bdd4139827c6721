import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Given, giveDataset, lines } from './testing/given.ts'

let server: TestServer
let given: Given
beforeAll(async () => {
  server = await bootServer()
  given = await giveDataset(server)
})
afterAll(() => server.close())
const text = (query: string) => given.text(query)
const fetchFile: Given['fetchFile'] = (...args) => given.fetchFile(...args)

describe('what is in the file', () => {
  const ids = async (search: unknown) =>
    lines(await text(`format=jsonl&search=${encodeURIComponent(JSON.stringify(search))}`)).map((row) => row['_server_id'])
  it('is what a search finds, in its order', async () => {
    const submitted = { type: 'terms', scope: { entity: 'response', property: 'status' }, values: ['submitted'] }
    expect(await ids({ filters: { and: [submitted] } })).toEqual([given.records[0]?.id])
    const newest = { scope: { entity: 'record', property: 'inserted_at' }, order: 'desc' }
    expect(await ids({ sort: [newest] })).toEqual(given.records.map(({ id }) => id).reverse())
    expect(await ids({ query: { text: { q: 'plain' } } })).toEqual([given.records[2]?.id])
  })

  it('is refused by name where the search is none', async () => {
    for (const search of [
      '{',
      '{"filters":{"and":[]}}',
      '{"sort":[{"scope":{"entity":"metadata","metadata_property":"none"},"order":"asc"}]}',
    ])
      expect((await fetchFile(`format=jsonl&search=${encodeURIComponent(search)}`)).status).toBe(422)
    expect((await fetchFile('format=doc')).status).toBe(422)
    expect((await fetchFile('')).status).toBe(422)
  })

  it('has a name that headers can carry', async () => {
    const { headers } = await fetchFile('format=csv')
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="Gr__e_ _1_.csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%2C%20%221%22.csv`,
    )
  })

  it('is for those who may see everything', async () => {
    const answers = await Promise.all([given.ann, given.stranger, server.owner].map((user) => fetchFile('format=jsonl', user)))
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200])
    const unknown = await fetchFile(`format=jsonl&after=${given.dataset.id}`)
    expect(unknown.status).toBe(404)
  })

  it('comes in pieces for many given.records, none lost and none twice', async () => {
    const many = await server.createDataset({ workspace_id: given.dataset.workspace_id })
    for (let start = 0; start < 1300; start += 500) {
      const items = Array.from({ length: Math.min(500, 1300 - start) }, (_, i) => ({ fields: { text: `record ${start + i}` } }))
      await server.as(given.admin).post(`/datasets/${many.id}/records/bulk`, { items })
    }
    const { body } = await server.as(given.admin).get<string>(`/datasets/${many.id}/records/download?format=jsonl`)
    expect(lines(body).map((row) => row['text'])).toEqual(Array.from({ length: 1300 }, (_, i) => `record ${i}`))
    const search = encodeURIComponent(JSON.stringify({ query: { text: { q: 'record' } } }))
    const found = await server.as(given.admin).get<string>(`/datasets/${many.id}/records/download?format=jsonl&search=${search}`)
    expect(new Set(lines(found.body).map((row) => row['text'])).size).toBe(1300)
  })
})
