import { randomBytes } from 'node:crypto'
import { get as request } from 'node:http'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { detail } from '@postil/testkit/detail.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Three of these together exceed the size of one batch. */
const image = `data:image/png;base64,${randomBytes(2_700_000).toString('base64')}`
const COUNT = 3

let server: TestServer
let dataset = ''
let texts: readonly string[] = []
beforeAll(async () => {
  server = await bootServer()
  const made = await server.createDataset({
    allow_extra_metadata: true,
    fields: [
      { name: 'text', required: true, settings: { type: 'text' } },
      { name: 'image', settings: { type: 'image' } },
    ],
  })
  dataset = made.id
  for (let i = 0; i < COUNT; i += 1) {
    const items = [{ external_id: `${i}`, fields: { text: `record ${i}`, image } }]
    expect((await owner().post(`/datasets/${dataset}/records/bulk`, { items })).status).toBe(201)
  }
  texts = Array.from({ length: COUNT }, (_, i) => `record ${i}`)
})
afterAll(() => server.close())

const owner = () => server.clientFor(server.owner)
const textsOf = (records: readonly RecordPayload[]) => records.map(({ fields }) => (fields.image === image ? fields.text : null))
const isStreamed = (headers: Headers) => headers.get('content-length') === null

describe('records larger than one batch are sent in pieces', () => {
  it('by the list', async () => {
    const { body, headers } = await owner().get<{ items: RecordPayload[]; total: number }>(
      `/datasets/${dataset}/records?limit=100`,
    )
    expect([textsOf(body.items), body.total, isStreamed(headers)]).toEqual([texts, COUNT, true])
  })

  it('uncompressed, to clients that accept no compression', async () => {
    const { body, headers } = await owner().get<{ items: RecordPayload[] }>(`/datasets/${dataset}/records`, {
      'accept-encoding': 'identity',
    })
    expect([textsOf(body.items), headers.get('content-encoding')]).toEqual([texts, null])
  })

  it('by the search, in its order', async () => {
    const sort = [{ scope: { entity: 'record', property: 'inserted_at' }, order: 'desc' }]
    for (const path of ['records/search', 'me/datasets'] as const) {
      const url = path === 'me/datasets' ? `/me/datasets/${dataset}/records/search` : `/datasets/${dataset}/records/search`
      const found = await owner().post<{ items: { record: RecordPayload; query_score: unknown }[]; total: number }>(url, { sort })
      expect([found.body.items.length, found.body.total, isStreamed(found.headers)]).toEqual([COUNT, COUNT, true])
      expect(textsOf(found.body.items.map(({ record }) => record))).toEqual([...texts].reverse())
    }
  })

  detail('by the queue, with leases', async () => {
    const { body, headers } = await owner().post<{ items: { record: RecordPayload; lease: { until: string } }[]; left: number }>(
      `/me/datasets/${dataset}/queue`,
      { limit: COUNT },
    )
    expect([body.items.length, isStreamed(headers)]).toEqual([COUNT, true])
    for (const { record, lease } of body.items)
      expect([record.fields['image'] === image, Date.parse(lease.until)]).toEqual([true, expect.any(Number)])
  })

  it.each(['jsonl', 'csv', 'parquet'])('by a download as %s', async (format) => {
    const answer = await fetch(`${server.url}/api/v1/datasets/${dataset}/records/download?format=${format}`, {
      headers: { 'x-argilla-api-key': server.owner.api_key },
    })
    const content = Buffer.from(await answer.arrayBuffer())
    if (format !== 'parquet') expect(content.toString().split(image)).toHaveLength(COUNT + 1)
    expect(content.length).toBeGreaterThanOrEqual(image.length)
  })
})

it('a small page is sent whole', async () => {
  const { body, headers } = await owner().get<{ items: RecordPayload[] }>(`/datasets/${dataset}/records?limit=1&offset=2`)
  expect([textsOf(body.items), isStreamed(headers)]).toEqual([['record 2'], false])
})

detail('a client that leaves in the middle gives its share of large reads back', async () => {
  for (let i = 0; i < 3; i += 1) {
    await new Promise<void>((resolve, reject) => {
      const headers = { 'x-argilla-api-key': server.owner.api_key }
      request(`${server.url}/api/v1/datasets/${dataset}/records`, { headers }, (answer) => {
        answer.once('data', () => {
          answer.destroy()
          resolve()
        })
      }).on('error', reject)
    })
  }
  expect((await owner().get<{ items: unknown[] }>(`/datasets/${dataset}/records`)).body.items).toHaveLength(COUNT)
})

detail('a bulk that changes large records answers with all of them', async () => {
  const items = texts.map((_, i) => ({ external_id: `${i}`, metadata: { changed: true } }))
  const added = { external_id: 'new', fields: { text: 'new' }, metadata: { changed: true } }
  const { body, status, headers } = await owner().put<{ items: RecordPayload[] }>(`/datasets/${dataset}/records/bulk`, {
    items: [...items, added],
  })
  expect([status, body.items?.length, isStreamed(headers)]).toEqual([200, COUNT + 1, true])
  expect(body.items.map(({ external_id }) => external_id)).toEqual(['0', '1', '2', 'new'])
  expect(body.items.map(({ metadata }) => metadata)).toEqual(Array.from({ length: COUNT + 1 }, () => ({ changed: true })))
})
