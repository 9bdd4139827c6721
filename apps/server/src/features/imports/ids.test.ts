import type { DatasetSpec } from '@postil/testkit/factories.ts'
import { describe, expect, it, test } from 'vitest'
import { importer, setUpImports, spec } from './testing/fixtures.ts'

const fixture = setUpImports()

const values = [1, true, { q: 1, r: [2] }, 'one', '2']
const termed: DatasetSpec = { ...spec, metadata_properties: [{ name: 'kind', settings: { type: 'terms', values } }] }

const begin = async (of: DatasetSpec = spec, metadata: readonly object[] = []) => {
  const dataset = await fixture.server.createDataset(of)
  const at = importer(fixture.server, dataset)
  const owner = fixture.server.clientFor(fixture.server.owner)
  return {
    ...at,
    id: dataset.id,
    add: async (...externalIds: readonly (string | null)[]) => {
      const items = externalIds.map((external_id, i) => ({
        external_id,
        fields: { text: `row ${i}` },
        metadata: metadata[i] ?? null,
      }))
      expect((await owner.post(`/datasets/${dataset.id}/records/bulk`, { items })).status).toBe(201)
    },
    download: async (query: string): Promise<string | Uint8Array> => {
      const path = `/api/v1/datasets/${dataset.id}/records/download?${query}`
      const answer = await fetch(`${fixture.server.url}${path}`, {
        headers: { 'x-argilla-api-key': fixture.server.owner.api_key },
      })
      expect(answer.status).toBe(200)
      return new Uint8Array(await answer.arrayBuffer())
    },
    import: async (name: string, content: string | Uint8Array) => {
      const { body: file } = await at.upload(name, content)
      const { id } = (await at.start(file.id, file.mapping)).body
      await at.finish()
      return { mapping: file.mapping, counts: (await at.job(id)).import }
    },
    texts: async () => (await at.records()).map(({ external_id, fields }) => [external_id, fields['text']]),
  }
}

describe('IDs in a file', () => {
  it('can contain spaces and have any length', async () => {
    const dataset = await begin()
    const long = `a very long id ${'x'.repeat(300)}`
    const content = (word: string) => `id,text\nreview 1,${word} 1\n${long},${word} 2\n`
    expect((await dataset.import('x.csv', content('old'))).counts).toMatchObject({ created: 2, failed: 0 })
    const again = await dataset.import('x.csv', content('new'))
    expect([again.mapping.external_id, again.counts]).toEqual(['id', { rows: 2, created: 0, updated: 2, failed: 0 }])
    expect(await dataset.texts()).toEqual([
      ['review 1', 'new 1'],
      [long, 'new 2'],
    ])
  })

  it('exclude multi-line texts, and texts in a column named as a key', async () => {
    const { upload } = await begin()
    const lines = (await upload('a.csv', 'id,text\n"one\ntwo",a\nthree,b\n')).body
    const keys = (await upload('b.csv', 'answer_key,text\nit is so,a\nit is not so,b\n')).body
    expect([lines.mapping.external_id, keys.mapping.external_id]).toEqual([null, null])
  })
})

describe('a dataset’s own export', () => {
  const edited = (content: string | Uint8Array) => Buffer.from(content).toString().replaceAll('row ', 'changed ')

  it.each(['csv', 'jsonl', 'parquet'])('updates its records as %s, including those without an external ID', async (format) => {
    const dataset = await begin()
    await dataset.add('A', null, null, null, 'review 5')
    const file = await dataset.download(`format=${format}`)
    const { mapping, counts } = await dataset.import(`own.${format}`, format === 'parquet' ? file : edited(file))
    expect(mapping).toMatchObject({ external_id: 'id', record_id: '_server_id' })
    expect(counts).toEqual({ rows: 5, created: 0, updated: 5, failed: 0 })
    const word = format === 'parquet' ? 'row' : 'changed'
    expect(await dataset.texts()).toEqual([
      ['A', `${word} 0`],
      [null, `${word} 1`],
      [null, `${word} 2`],
      [null, `${word} 3`],
      ['review 5', `${word} 4`],
    ])
  })

  it('updates its records if none has an external ID', async () => {
    const dataset = await begin()
    await dataset.add(null, null)
    const { mapping, counts } = await dataset.import('own.csv', edited(await dataset.download('format=csv')))
    expect(mapping).toMatchObject({ external_id: null, record_id: '_server_id' })
    expect(counts).toEqual({ rows: 2, created: 0, updated: 2, failed: 0 })
    expect((await dataset.texts()).flat()).toEqual([null, 'changed 0', null, 'changed 1'])
  })

  it('creates records in another dataset by external ID, never by the IDs of the original dataset', async () => {
    const [one, other] = [await begin(), await begin()]
    await one.add('A', null)
    const file = await one.download('format=csv')
    expect((await other.import('own.csv', file)).counts).toEqual({ rows: 2, created: 2, updated: 0, failed: 0 })
    expect(await other.texts()).toEqual([
      ['A', 'row 0'],
      ['own_2', 'row 1'],
    ])
    expect((await other.import('own.csv', file)).counts).toEqual({ rows: 2, created: 1, updated: 1, failed: 0 })
  })

  it('skips a row whose record an earlier row already changed', async () => {
    const dataset = await begin()
    await dataset.add(null)
    const [head, row] = edited(await dataset.download('format=csv')).split('\r\n')
    const { counts } = await dataset.import('own.csv', [head, row, row?.replace('changed', 'again')].join('\r\n'))
    expect(counts).toEqual({ rows: 2, created: 0, updated: 1, failed: 1 })
    expect(await dataset.texts()).toEqual([[null, 'changed 0']])
  })

  it.each(['csv', 'jsonl'])('restores non-text terms as %s if the property lists its values', async (format) => {
    const metadata = [{ kind: 1 }, { kind: [true, 'one', '2'] }, { kind: { r: [2], q: 1 } }]
    const dataset = await begin(termed, metadata)
    await dataset.add('a', 'b', 'c')
    const { counts } = await dataset.import(`own.${format}`, await dataset.download(`format=${format}`))
    expect(counts).toEqual({ rows: 3, created: 0, updated: 3, failed: 0 })
    const kinds = (await dataset.records()).map((record) => record.metadata?.['kind'])
    expect(kinds).toEqual([[1], [true, 'one', '2'], [{ q: 1, r: [2] }]])
  })

  it('proposes the same roles for a dataset that doesn’t exist yet', async () => {
    const dataset = await begin()
    await dataset.add('A', null, null)
    const file = await dataset.download('format=csv')
    const owner = fixture.server.clientFor(fixture.server.owner)
    const { body } = await owner.post<{ columns: { name: string; proposal: { role: string } | null }[] }>(
      '/me/imports/files?name=own.csv',
      file,
      { 'content-type': 'application/octet-stream' },
    )
    const roles = new Map(body.columns.map(({ name, proposal }) => [name, proposal?.role ?? null]))
    expect([roles.get('id'), roles.get('_server_id')]).toEqual(['external_id', null])
  })

  test.each(['csv', 'jsonl', 'parquet'])(
    'as %s leads to proposals for a dataset with the same structure, without answers',
    async (format) => {
      const { id, download } = await begin()
      const owner = fixture.server.clientFor(fixture.server.owner)
      const questions = (await owner.get<{ items: { id: string; name: string }[] }>(`/datasets/${id}/questions`)).body.items
      const ann = await fixture.server.createUser()
      const tags = questions.find(({ name }) => name === 'tags')?.id
      const items = [0, 1, 2, 3].map((i) => ({
        external_id: `r${i}`,
        fields: { text: `row ${i}`, talk: [{ role: 'user', content: `hi ${i}` }] },
        metadata: { size: 100 + i },
        suggestions: [{ question_id: tags, value: ['x'], score: [0.5], agent: 'model' }],
        responses: [fixture.server.owner, ann].map((user) => ({
          user_id: user.id,
          status: 'submitted',
          values: { label: { value: i % 2 ? 'yes' : 'no' } },
          suggestion_outcomes: { label: { outcome: 'confirmed', agent: 'model' } },
        })),
      }))
      expect((await owner.post(`/datasets/${id}/records/bulk`, { items })).status).toBe(201)
      const { body } = await owner.post<{ columns: { name: string; proposal: { role: string; type: string | null } | null }[] }>(
        `/me/imports/files?name=own.${format}`,
        await download(`format=${format}`),
        { 'content-type': 'application/octet-stream' },
      )
      expect(body.columns.flatMap(({ name, proposal }) => (proposal ? [[name, proposal.role, proposal.type]] : []))).toEqual([
        ['id', 'external_id', null],
        ['text', 'field', 'text'],
        ['talk', 'field', 'chat'],
        // This question has answers, but no suggestions
        ['label.suggestion', 'suggestion', 'label_selection'],
        ['tags.suggestion', 'suggestion', 'multi_label_selection'],
        ['metadata.size', 'metadata', 'integer'],
      ])
    },
  )
})
