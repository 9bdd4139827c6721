import type { MetadataHistogram } from '@postil/contract/metadata-properties.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addRecords, must } from '../testing/searching.ts'
import { binsOver } from './histogram.ts'

describe('bins', () => {
  it.each([
    [{ min: 0, max: 10 }, 5, false, [0, 2, 4, 6, 8], 10],
    [{ min: -1, max: -1 }, 5, false, [-1], -1],
    [{ min: 1, max: 3 }, 24, true, [1, 2, 3], 3],
    [{ min: 1, max: 10 }, 4, true, [1, 4, 7, 10], 10],
    [{ min: -5, max: 4 }, 3, true, [-5, -1, 3], 4],
  ] as const)('for %o, at most %i, whole %s', (range, most, whole, froms, last) => {
    const bins = binsOver(range, most, whole)
    expect(bins.map(({ from }) => from)).toEqual(froms)
    expect(bins.at(-1)?.to).toBe(last)
  })

  it('are finite for all representable numbers', () => {
    const bins = binsOver({ min: -Number.MAX_VALUE, max: Number.MAX_VALUE }, 24, false)
    expect(bins.every(({ from, to }) => Number.isFinite(from) && from < to)).toBe(true)
    expect(binsOver({ min: 1, max: 1 + Number.EPSILON }, 24, false)).toEqual([{ from: 1, to: 1 + Number.EPSILON }])
    expect(binsOver({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1 }, 24, true).length).toBeLessThanOrEqual(24)
  })
})

describe('a histogram', () => {
  let server: TestServer
  let owner: Client
  beforeAll(async () => {
    server = await bootServer()
    owner = server.clientFor(server.owner)
  })
  afterAll(() => server.close())

  const histogram = async (id: string, query = '') =>
    must(await owner.get<MetadataHistogram>(`/metadata-properties/${id}/histogram${query}`)).bins
  const countsOf = async (id: string, query: string) => (await histogram(id, query)).map(({ count }) => count)

  it('counts each number once, including for a property added to existing records', async () => {
    const dataset = await server.createDataset()
    const floats = [0, 0.4, 2, 2, 3.999, 4, 10, 9.5]
    const items = floats.map((f, i) => ({ fields: { text: 'x' }, metadata: i === 0 ? { f } : { f, i: i % 4 } }))
    await addRecords(owner, dataset, [...items, { fields: { text: 'x' } }])
    const property = async (name: string, type: string) => {
      const body = { name, title: name, settings: { type } }
      return must(await owner.post<{ id: string }>(`/datasets/${dataset.id}/metadata-properties`, body)).id
    }
    const [f, i, none] = [await property('f', 'float'), await property('i', 'integer'), await property('none', 'integer')]
    // The first rounds read the records. Later rounds read the index rows that a job has created from them.
    for (let round = 0; round < 8; round += 1) {
      expect(await countsOf(f, '?bins=5')).toEqual([2, 3, 1, 0, 2])
      expect(await histogram(i)).toEqual([
        { from: 0, to: 0, count: 1 },
        { from: 1, to: 1, count: 2 },
        { from: 2, to: 2, count: 2 },
        { from: 3, to: 3, count: 2 },
      ])
      expect(await countsOf(f, '')).toHaveLength(24)
      expect((await countsOf(f, '?bins=100')).reduce((sum, count) => sum + count, 0)).toBe(floats.length)
      expect(await histogram(none)).toEqual([])
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
  })

  it('follows record changes', async () => {
    const dataset = await server.createDataset({ metadata_properties: [{ name: 'n', settings: { type: 'integer' } }] })
    const [first = ''] = await addRecords(
      owner,
      dataset,
      [1, 1, 3].map((n) => ({ fields: { text: 'x' }, metadata: { n } })),
    )
    const { items } = must(await owner.get<{ items: { id: string }[] }>(`/me/datasets/${dataset.id}/metadata-properties`))
    const id = items[0]?.id ?? ''
    expect(await countsOf(id, '')).toEqual([2, 0, 1])
    must(await owner.patch(`/records/${first}`, { metadata: { n: 2 } }))
    expect(await countsOf(id, '')).toEqual([1, 1, 1])
    must(await owner.delete(`/records/${first}`))
    expect(await countsOf(id, '')).toEqual([1, 0, 1])
  })

  it('limits the number of bins', async () => {
    const dataset = await server.createDataset({ metadata_properties: [{ name: 'n', settings: { type: 'float' } }] })
    const { items } = must(await owner.get<{ items: { id: string }[] }>(`/me/datasets/${dataset.id}/metadata-properties`))
    for (const bins of ['0', '101', 'many']) {
      expect((await owner.get(`/metadata-properties/${items[0]?.id}/histogram?bins=${bins}`)).status).toBe(422)
    }
  })
})
