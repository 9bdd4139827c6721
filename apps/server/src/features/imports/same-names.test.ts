import { parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { importer, setUpImports } from './testing/fixtures.ts'

const fixture = setUpImports()

const text = (name: string) => ({ name, required: name === 'id', settings: { type: 'text' as const } })
const label = (name: string) => ({
  name,
  required: name === 'label',
  settings: { type: 'label_selection' as const, options: ['yes', 'no'].map((value) => ({ value, text: value })) },
})
/** Names of fields and questions that are also used for record columns, metadata properties or answer columns. */
const names = [
  'id',
  'field.id',
  'status',
  '_server_id',
  'label.suggestion',
  'metadata.size',
  'user_id',
  'plain',
  'extra_metadata',
]
const spec = {
  allow_extra_metadata: true,
  fields: names.map(text),
  questions: [label('label'), label('metadata'), label('status')],
  metadata_properties: ['size', 'suggestion'].map((name) => ({ name, settings: { type: 'integer' as const } })),
}

const begin = async () => {
  const dataset = await fixture.server.createDataset(spec)
  const owner = fixture.server.clientFor(fixture.server.owner)
  const { body } = await owner.get<{ items: { id: string }[] }>(`/datasets/${dataset.id}/questions`)
  const items = ['A', null].map((external_id, i) => ({
    external_id,
    fields: Object.fromEntries(names.map((name) => [name, `${name} ${i}`])),
    metadata: { size: i, suggestion: 10 + i, more: 1 },
    suggestions: body.items.map(({ id }, question) => ({ question_id: id, value: question === 1 ? 'no' : 'yes' })),
    responses: [
      { user_id: fixture.server.owner.id, status: 'submitted', values: { label: { value: 'yes' }, status: { value: 'no' } } },
    ],
  }))
  expect((await owner.post(`/datasets/${dataset.id}/records/bulk`, { items })).status).toBe(201)
  const at = importer(fixture.server, dataset)
  const download = async (query: string): Promise<Uint8Array> => {
    const answer = await fetch(`${fixture.server.url}/api/v1/datasets/${dataset.id}/records/download?${query}`, {
      headers: { 'x-argilla-api-key': fixture.server.owner.api_key },
    })
    expect(answer.status).toBe(200)
    return new Uint8Array(await answer.arrayBuffer())
  }
  return { ...at, download }
}
const heading = (csv: Uint8Array) => Buffer.from(csv).toString().split('\r\n')[0]?.split(',') ?? []

describe('columns with the same name', () => {
  it.each(['wide', 'long'])('get distinct names in a %s file, and other columns keep theirs', async (shape) => {
    const { download } = await begin()
    const columns = heading(await download(`format=csv&shape=${shape}`))
    expect(new Set(columns).size).toBe(columns.length)
    const [row] = Buffer.from(await download(`format=jsonl&shape=${shape}`))
      .toString()
      .split('\n')
    const values = JSON.parse(row ?? '')
    expect(Object.keys(values)).toEqual(columns)
    const own = { id: 'A', 'field.field.id': 'id 0', 'field.id': 'field.id 0', plain: 'plain 0', 'metadata.size': 0 }
    expect(values).toMatchObject({ ...own, 'field.status': 'status 0', 'field._server_id': '_server_id 0' })
    expect(values).toMatchObject({ 'field.metadata.size': 'metadata.size 0', 'field.extra_metadata': 'extra_metadata 0' })
    if (shape === 'wide') {
      expect(values).toMatchObject({
        user_id: 'user_id 0',
        'label.suggestion': 'yes',
        'field.label.suggestion': 'label.suggestion 0',
      })
      expect(values).toMatchObject({
        'metadata.suggestion': 'no',
        'metadata.metadata.suggestion': 10,
        'status.suggestion': 'yes',
      })
    } else {
      expect(values).toMatchObject({ user_id: fixture.server.owner.id, 'field.user_id': 'user_id 0', 'metadata.suggestion': 10 })
      expect(values).toMatchObject({ 'response.status': 'submitted', 'response.response.status': 'no', 'response.label': 'yes' })
    }
  })

  it.each(['csv', 'jsonl', 'parquet'])('are matched to their origin as %s', async (format) => {
    const dataset = await begin()
    const file = await dataset.download(`format=${format}`)
    if (format === 'parquet') {
      const buffer = file.buffer as ArrayBuffer
      const [row] = (await parquetReadObjects({ file: buffer })) as { readonly [column: string]: unknown }[]
      expect(row).toMatchObject({ id: 'A', 'field.field.id': 'id 0', 'field.status': 'status 0' })
    }
    const before = await dataset.records()
    const { body } = await dataset.upload(`own.${format}`, file)
    const targets = (pairs: readonly { readonly source: string; readonly target: string }[]) =>
      new Map(pairs.map(({ source, target }) => [target, source]))
    expect(Object.fromEntries(targets(body.mapping.fields))).toEqual({
      id: 'field.field.id',
      'field.id': 'field.id',
      status: 'field.status',
      _server_id: 'field._server_id',
      'label.suggestion': 'field.label.suggestion',
      'metadata.size': 'field.metadata.size',
      user_id: 'user_id',
      plain: 'plain',
      extra_metadata: 'field.extra_metadata',
    })
    expect(Object.fromEntries(targets(body.mapping.suggestions))).toEqual({
      label: 'label.suggestion',
      metadata: 'metadata.suggestion',
      status: 'status.suggestion',
    })
    expect(Object.fromEntries(targets(body.mapping.metadata))).toEqual({
      size: 'metadata.size',
      suggestion: 'metadata.metadata.suggestion',
    })
    const { id } = (await dataset.start(body.id, body.mapping)).body
    await dataset.finish()
    expect((await dataset.job(id)).import).toEqual({ rows: 2, created: 0, updated: 2, failed: 0 })
    expect(await dataset.records()).toEqual(before)
  })
})
