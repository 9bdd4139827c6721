import type { Dataset } from '@postil/contract/datasets.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addRecords, must } from '../testing/searching.ts'

let server: TestServer
let owner: Client
beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
})
afterAll(() => server.close())
const add = (dataset: Dataset, items: readonly object[]) => addRecords(owner, dataset, items)

describe('overviews', () => {
  it('lists agents by question, sorted, in question order', async () => {
    const question = (name: string) => ({ name, title: name, required: true, settings: { type: 'text' } })
    const dataset = await server.createDataset({ questions: [question('one'), question('two')] })
    const { items } = must(await owner.get<{ items: { id: string; name: string }[] }>(`/datasets/${dataset.id}/questions`))
    const suggest = (agent: string | null) => [{ question_id: items[0]!.id, value: 'x', agent }]
    await add(
      dataset,
      ['z', 'B', null, 'a', 'z'].map((agent) => ({ fields: { text: 'x' }, suggestions: suggest(agent) })),
    )
    const options = must(await owner.get(`/datasets/${dataset.id}/records/search/suggestions/options`))
    expect(options).toEqual({
      items: [
        { question: items.map(({ id, name }) => ({ id, name }))[0], agents: ['B', 'a', 'z'] },
        { question: items.map(({ id, name }) => ({ id, name }))[1], agents: [] },
      ],
    })
  })

  it('lists used metadata values, including for a property added to existing records', async () => {
    const dataset = await server.createDataset()
    const long = 'x'.repeat(300)
    const values = [
      { t: 'b', i: 3, f: 0.1234567 },
      { t: ['a', 'b', 'b'], i: -2, f: 1e10 },
      { t: 'B', f: -0.5 },
      {},
      null,
      { t: long },
    ]
    await add(
      dataset,
      values.map((metadata) => ({ fields: { text: 'x' }, metadata })),
    )
    const property = async (name: string, type: string) =>
      must(
        await owner.post<{ id: string }>(`/datasets/${dataset.id}/metadata-properties`, {
          name,
          title: name,
          settings: { type },
        }),
      ).id
    const properties = {
      t: await property('t', 'terms'),
      i: await property('i', 'integer'),
      f: await property('f', 'float'),
      e: await property('e', 'terms'),
      n: await property('n', 'integer'),
    }
    const metrics = async (name: keyof typeof properties) =>
      must(await owner.get(`/metadata-properties/${properties[name]}/metrics`))
    for (let i = 0; i < 8; i++) {
      expect(await metrics('t')).toEqual({
        type: 'terms',
        total: 5,
        values: [
          { term: 'b', count: 2 },
          { term: 'B', count: 1 },
          { term: 'a', count: 1 },
          { term: long, count: 1 },
        ],
      })
      expect(await metrics('i')).toEqual({ type: 'integer', min: -2, max: 3 })
      expect(await metrics('f')).toEqual({ type: 'float', min: -0.5, max: 1e10 })
      expect(await metrics('e')).toEqual({ type: 'terms', total: 0, values: [] })
      expect(await metrics('n')).toEqual({ type: 'integer', min: null, max: null })
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
  })

  it('follows record changes, separately for each property', async () => {
    const [text, settings] = [{ text: 'x' }, { type: 'terms' }]
    const dataset = await server.createDataset({ metadata_properties: ['t', 'u'].map((name) => ({ name, settings })) })
    const url = `/datasets/${dataset.id}/records/bulk`
    const put = (items: readonly object[]) => owner.put(url, { items }).then(must)
    const { items } = must(
      await owner.get<{ items: { id: string; name: string }[] }>(`/me/datasets/${dataset.id}/metadata-properties`),
    )
    const counts = async () =>
      Promise.all(
        items.map(async ({ id, name }) => {
          const { values } = must(
            await owner.get<{ values: { term: string; count: number }[] }>(`/metadata-properties/${id}/metrics`),
          )
          return `${name}: ${values.map(({ term, count }) => `${term} ${count}`).join(', ')}`
        }),
      )
    await put([
      { external_id: '1', fields: text, metadata: { t: 'a', u: 'z' } },
      { external_id: '2', fields: text, metadata: { t: 'a' } },
    ])
    expect(await counts()).toEqual(['t: a 2', 'u: z 1'])
    await put([{ external_id: '2', metadata: { t: 'b' } }])
    expect(await counts()).toEqual(['t: a 1, b 1', 'u: z 1'])
    await put([{ external_id: '3', fields: text, metadata: { t: ['b', 'c'] } }])
    expect(await counts()).toEqual(['t: b 2, a 1, c 1', 'u: z 1'])
    const { items: records } = must(
      await owner.get<{ items: { id: string; external_id: string }[] }>(`/datasets/${dataset.id}/records`),
    )
    must(await owner.delete(`/records/${records.find(({ external_id }) => external_id === '1')?.id}`))
    expect(await counts()).toEqual(['t: b 2, c 1', 'u: '])
  })
})
