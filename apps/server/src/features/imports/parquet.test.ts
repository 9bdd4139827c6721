import { detail } from '@postil/testkit/detail.ts'
import type { DatasetSpec } from '@postil/testkit/factories.ts'
import { parquetMetadata } from 'hyparquet'
import { describe, expect, it, test } from 'vitest'
import { type ColumnKind, parquetOf } from '#platform/parquet/testing/parquet.ts'
import { importer, same, setUpImports, spec, uploadsOf } from './testing/fixtures.ts'
import { ageHolds } from './testing/operations.ts'

const fixture = setUpImports()
const begin = async (of: DatasetSpec = spec) => importer(fixture.server, await fixture.server.createDataset(of))

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const columns: { readonly [name: string]: readonly [ColumnKind, readonly unknown[]] } = {
  doc_id: ['text', ['d1', 'd2', 'd3', 'd4']],
  text: ['text', ['First', 'Second', null, 'Fourth']],
  picture: ['image', [{ bytes: new Uint8Array(png), path: 'a.png' }, null, null, null]],
  tags: ['texts', [['x', 'y'], ['x'], [], null]],
  talk: ['messages', [[{ role: 'user', content: 'hi' }], null, null, null]],
  size: ['integer', [10n, 20n, 9_007_199_254_740_993n, null]],
  ratio: ['float', [0.5, 1.25, 2.5, 3.5]],
  ok: ['boolean', [true, false, true, null]],
  day: ['day', [new Date('2024-02-29'), null, null, null]],
  raw: ['bytes', [new Uint8Array(Buffer.from('größe')), new Uint8Array([0xff, 0]), null, null]],
}
const everyKind: DatasetSpec = {
  ...spec,
  fields: [...(spec.fields ?? []), { name: 'picture', settings: { type: 'image' } }, { name: 'day', settings: { type: 'text' } }],
}

describe('a Parquet file', () => {
  it('is described by its columns with proposed roles', async () => {
    const { upload } = await begin()
    const { status, body } = await upload('rows.parquet', parquetOf(columns))
    expect([status, body.format]).toEqual([201, 'parquet'])
    expect(body.columns.map(({ name, type, proposal }) => [name, type, proposal?.role, proposal?.type])).toEqual([
      ['doc_id', 'text', 'external_id', null],
      ['text', 'text', 'field', 'text'],
      ['picture', 'text', 'field', 'image'],
      ['tags', 'list', 'suggestion', 'multi_label_selection'],
      ['talk', 'list', 'field', 'chat'],
      ['size', 'text', 'metadata', 'terms'],
      ['ratio', 'float', 'metadata', 'float'],
      ['ok', 'boolean', 'metadata', 'terms'],
      ['day', 'text', 'metadata', 'terms'],
      ['raw', 'text', 'field', 'text'],
    ])
    expect(body.columns.find(({ name }) => name === 'raw')?.samples).toEqual(['größe', '/wA='])
    expect(body.mapping.external_id).toBe('doc_id')
  })

  it('becomes records, and its bad rows are reported', async () => {
    const { upload, start, job, finish, records, report, check } = await begin(everyKind)
    const content = parquetOf(columns)
    const { id } = (await upload('rows.parquet', content)).body
    const mapping = {
      fields: same('text', 'talk', 'picture', 'day'),
      suggestions: same('tags'),
      metadata: same('size'),
      external_id: 'doc_id',
    }
    const fault = { row: 3, line: 3, column: 'text', reason: expect.stringContaining('empty') }
    expect((await check(id, mapping)).body).toMatchObject({ rows: 4, errors: [fault] })
    const started = (await start(id, mapping)).body
    await finish()
    const ended = await job(started.id)
    const counts = { rows: 4, created: 3, updated: 0, failed: 1 }
    expect(ended).toMatchObject({ status: 'finished', done: content.length, total: content.length, import: counts })
    const [first, second, fourth] = await records()
    expect([first?.external_id, second?.external_id, fourth?.external_id]).toEqual(['d1', 'd2', 'd4'])
    expect(first?.fields).toMatchObject({ text: 'First', talk: [{ role: 'user', content: 'hi' }], day: '2024-02-29' })
    expect(first?.suggestions?.map(({ value }) => value)).toEqual([['x', 'y']])
    expect([first?.metadata, fourth?.metadata]).toEqual([{ size: 10 }, {}])
    expect(JSON.parse(await report(id))).toMatchObject({ row: 3, column: 'text' })
  })

  it('keeps every character of a text, including a leading byte order mark', async () => {
    const { upload, start, finish, records } = await begin()
    const text = '\ufeffFirst'
    const content = parquetOf({
      text: ['text', [text]],
      tags: ['texts', [[text, 'x']]],
      raw: ['bytes', [new Uint8Array(Buffer.from(text))]],
    })
    const { body } = await upload('rows.parquet', content)
    expect(body.rows).toEqual([[text, JSON.stringify([text, 'x']), text]])
    expect((await start(body.id, { fields: same('text') })).status).toBe(202)
    await finish()
    expect((await records()).map(({ fields }) => fields['text'])).toEqual([text])
  })

  it('written by the Hub’s library includes its class names', async () => {
    const { upload } = await begin()
    const names = { label: { _type: 'ClassLabel', names: ['yes', 'no', 'perhaps'] } }
    const { body } = await upload('rows.parquet', parquetOf({ label: ['integer', [1n, 0n, -1n]] }, 50, names))
    const [label] = body.columns
    expect(label).toMatchObject({ type: 'text', samples: ['no', 'yes'], values: ['yes', 'no', 'perhaps'] })
    expect(label?.proposal).toEqual({ role: 'suggestion', type: 'label_selection' })
  })

  it('is checked against its columns', async () => {
    const { upload, check } = await begin()
    const { id } = (await upload('rows.parquet', parquetOf(columns))).body
    const { status, body } = await check(id, { fields: [{ source: 'nope', target: 'text' }] })
    expect([status, body]).toEqual([422, { detail: 'The file has no column "nope"' }])
  })

  it('resumes after the last batch when the process is killed, and repeats none', async () => {
    const rows = 1250
    const texts = Array.from({ length: rows }, (_, i) => `row ${i + 1}`)
    const { upload, start, take, step, finish, job, records } = await begin()
    const { id } = (await upload('many.parquet', parquetOf({ text: ['text', texts] }, 60))).body
    const started = (await start(id, { fields: same('text') })).body
    const first = await take()
    if (first === undefined) throw new Error('there is no job')
    expect((await step(first)).state).toBe('started')
    await fixture.tool.write(ageHolds, {})
    const second = await take()
    if (second === undefined) throw new Error('the job was not taken over')
    expect((await step(second)).state).toBe('started')
    expect((await job(started.id)).import?.rows).toBe(1000)
    await fixture.tool.write(ageHolds, {})
    await finish()
    expect((await job(started.id)).import).toEqual({ rows, created: rows, updated: 0, failed: 0 })
    expect((await records()).map(({ fields }) => fields.text)).toEqual(texts)
  })
})

describe('a broken Parquet file', () => {
  const whole = Buffer.from(parquetOf({ text: ['text', Array.from({ length: 500 }, (_, i) => `row ${i}`)] }, 100))
  const changed = (change: (bytes: Buffer) => void): Buffer => {
    const copy = Buffer.from(whole)
    change(copy)
    return copy
  }
  test.each([
    ['an empty file', Buffer.alloc(0), 'not a Parquet file'],
    ['a file of another format', Buffer.from('PK\x03\x04 and more than that'), 'not a Parquet file'],
    ['the start of a file', whole.subarray(0, 1000), 'incomplete'],
    ['the end of a file', Buffer.concat([Buffer.from('PAR1'), whole.subarray(-300)]), 'is incomplete'],
    [
      'an index longer than the file',
      changed((bytes) => bytes.writeUInt32LE(0x7fffffff, bytes.length - 8)),
      'longer than the file',
    ],
    ['a truncated index', changed((bytes) => bytes.writeUInt32LE(5, bytes.length - 8)), 'cannot be read'],
    ['an encrypted file', changed((bytes) => bytes.write('PARE', 0)), 'encrypted'],
    ['a file with zeros instead of rows', changed((bytes) => bytes.fill(0, 4, 400)), 'The file '],
    ['a file without rows', parquetOf({ text: ['text', []] }), 'no rows'],
  ])('%s is rejected with a message and not stored', async (_name, content, reason) => {
    const { upload } = await begin()
    const before = await uploadsOf(fixture.server)
    const { status, body } = await upload('rows.parquet', new Uint8Array(content))
    expect([status, body.detail]).toEqual([422, expect.stringContaining(reason)])
    expect(await uploadsOf(fixture.server)).toEqual(before)
  })

  it('with an unreadable later part keeps the earlier rows and reports it', async () => {
    const { upload, start, job, finish, records } = await begin()
    const index = whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.length) as ArrayBuffer
    const at = Number(parquetMetadata(index).row_groups.at(-1)?.columns[0]?.meta_data?.data_page_offset)
    const { status, body } = await upload('rows.parquet', new Uint8Array(changed((bytes) => bytes.fill(0xff, at, at + 20))))
    expect(status).toBe(201)
    const started = (await start(body.id, { fields: same('text') })).body
    await finish()
    const ended = await job(started.id)
    expect(ended).toMatchObject({ status: 'failed', reason: expect.stringContaining('Nothing after row 401 can be read') })
    expect(await records()).toHaveLength(400)
  })
})

describe('a Parquet file that expands far beyond its size', () => {
  const long = 'x'.repeat(800_000)
  const many = (text: string, count: number) => new Array<string>(count).fill(text)
  const tooLarge = { detail: 'The file is larger than 8 GB when unpacked. Split it into smaller files' }

  test.each([
    ['by one text that every row references', 'text', many(long, 100_000)],
    ['by one text that every row references, in lists', 'texts', many(long, 1000).map((text) => many(text, 100))],
    ['by one text that a fifth of the rows reference', 'text', many(long, 100_000).map((text, i) => (i % 5 === 0 ? text : null))],
  ] as const)('%s, is rejected before anything is stored', async (_name, kind, values) => {
    const { upload } = await begin()
    const before = await uploadsOf(fixture.server)
    const content = parquetOf({ text: [kind, values] }, values.length)
    expect(content.length).toBeLessThan(100_000)
    const { status, body } = await upload('rows.parquet', content)
    expect([status, body]).toEqual([422, tooLarge])
    expect(await uploadsOf(fixture.server)).toEqual(before)
  })

  detail('is rejected for the total size of its row groups, whichever column is used', async () => {
    const { upload } = await begin()
    const content = parquetOf(
      { id: ['integer', many('', 12_000).map((_, i) => BigInt(i))], text: ['text', many(long, 12_000)] },
      400,
    )
    expect((await upload('rows.parquet', content)).body).toEqual(tooLarge)
  })

  detail('is rejected if each text references a prefix of the previous one', async () => {
    const { upload } = await begin()
    const content = parquetOf({ text: ['text', many(long, 200), 'DELTA_BYTE_ARRAY'] }, 200, undefined, 1e9)
    const { status, body } = await upload('rows.parquet', content)
    expect([status, body.detail]).toEqual([422, expect.stringContaining('more than 128 MB of text')])
  })

  detail('is accepted if it is legitimate: a million rows of a few texts, some empty', async () => {
    const { upload, check } = await begin()
    const texts = Array.from({ length: 20 }, (_, i) => `${i} `.padEnd(1000, 'text '))
    const values = Array.from({ length: 1_000_000 }, (_, i) => texts[i % 20] ?? '')
    const [first = ''] = texts
    const rare = values.map((_, i) => (i === 500_000 ? long : i % 2 === 0 ? null : ''))
    const columns = {
      text: ['text', values],
      more: ['text', values.map(() => first), 'DELTA_BYTE_ARRAY'],
      rare: ['text', rare],
    } as const
    const { status, body } = await upload('rows.parquet', parquetOf(columns, 100_000))
    expect(status).toBe(201)
    expect((await check(body.id, { fields: same('text') })).body).toMatchObject({ errors: [] })
  })
})
