import { describe, expect, it, test } from 'vitest'
import { sweepUploads } from './sweep.ts'
import { importer, same, setUpImports, spec, uploadsOf } from './testing/fixtures.ts'
import { ageImports } from './testing/operations.ts'

const fixture = setUpImports()

const begin = async () => importer(fixture.server, await fixture.server.createDataset(spec))
const uploads = () => uploadsOf(fixture.server)

const csv = [
  'doc_id,text,label,tags,stars,size,when',
  'd1,"First, of all",yes,"[""x"",""y""]",1,10,2020',
  'd2,Second,no,x,2,20,2021',
  'd3,Third,yes,,1,30,',
  'd4,Fourth,no,y,2,40,2022',
].join('\n')
const mapping = {
  fields: same('text'),
  suggestions: same('label', 'tags', 'stars'),
  metadata: same('size'),
  external_id: 'doc_id',
}

describe('an uploaded file', () => {
  it('is described by its columns with proposed roles', async () => {
    const { upload } = await begin()
    const { status, body } = await upload('größe.csv', csv)
    expect([status, body.format, body.name, body.size]).toEqual([201, 'csv', 'größe.csv', csv.length])
    const seen = body.columns.map(({ name, type, proposal }) => [name, type, proposal?.role, proposal?.type])
    expect(seen).toEqual([
      ['doc_id', 'text', 'external_id', null],
      ['text', 'text', 'field', 'text'],
      ['label', 'text', 'suggestion', 'label_selection'],
      ['tags', 'text', 'field', 'text'],
      ['stars', 'integer', 'suggestion', 'label_selection'],
      ['size', 'integer', 'metadata', 'integer'],
      ['when', 'integer', 'metadata', 'integer'],
    ])
    expect(body.columns[1]?.samples).toEqual(['First, of all', 'Second', 'Third', 'Fourth'])
    expect(body.columns.flatMap(({ name, complete }) => (complete ? [name] : []))).toEqual([
      'doc_id',
      'text',
      'label',
      'stars',
      'size',
    ])
    expect(body.mapping).toEqual({ ...mapping, record_id: null })
  })

  it('in JSON provides more about its types', async () => {
    const { upload } = await begin()
    const talk = [{ role: 'user', content: 'hi' }]
    const rows = ['a', 'b', 'c', 'd'].map((id, i) => ({
      id,
      talk,
      tags: ['x'],
      ratio: i + 0.5,
      ok: true,
      source: 'web',
      more: {},
    }))
    const { body } = await upload('rows.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'))
    const seen = body.columns.map(({ name, type, proposal }) => [name, type, proposal?.role, proposal?.type])
    expect(seen).toEqual([
      ['id', 'text', 'external_id', null],
      ['talk', 'list', 'field', 'chat'],
      ['tags', 'list', 'metadata', 'terms'],
      ['ratio', 'float', 'metadata', 'float'],
      ['ok', 'boolean', 'metadata', 'terms'],
      ['source', 'text', 'metadata', 'terms'],
      ['more', 'object', undefined, undefined],
    ])
  })

  it('recognizes images at signed URLs, and no lists in texts that only begin like one', async () => {
    const { upload } = await begin()
    const address = (i: number) => `https://bucket.example/photos/${i}.jpg?X-Signature=ab%2F${i}&expires=9`
    const rows = [0, 1, 2].map((i) => ({
      picture: address(i),
      note: `[${i}] see below`,
      places: `[{"start": ${i}}]`,
      none: null,
    }))
    const { body } = await upload('rows.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'))
    expect(body.columns.map(({ name, type, proposal }) => [name, type, proposal?.type])).toEqual([
      ['picture', 'text', 'image'],
      ['note', 'text', 'text'],
      ['places', 'text', 'text'],
      ['none', 'empty', undefined],
    ])
  })

  test.each([
    ['sheet.xls', 'x', 'Save it as .xlsx'],
    ['rows.zip', 'x', 'is not a ZIP archive'],
    ['rows.parquet', 'x', 'The file is not a Parquet file'],
    ['rows', 'x', 'is unknown'],
    ['rows.csv', '', 'empty'],
    ['rows.csv', 'a,b\n', 'no rows'],
    ['rows.csv', 'a,b\n1,2,3\n', 'No row'],
    ['rows.csv', 'a\n"never closed', 'Line 2'],
    ['rows.csv', 'a\nx\0y', 'NUL character at byte 3'],
    ['rows.json', 'a', 'does not start with ['],
    ['rows.json', '[]', 'no rows'],
    ['rows.jsonl', '{"a": \n', 'Line 1'],
  ])('%s with %j is rejected with a message and not stored', async (name, content, reason) => {
    const { upload } = await begin()
    const before = await uploads()
    const { status, body } = await upload(name, content)
    expect([status, body.detail]).toEqual([422, expect.stringContaining(reason)])
    expect(await uploads()).toEqual(before)
  })

  it('is deleted after a day unless it is being imported', async () => {
    const { upload, start, job, finish, report } = await begin()
    const left = (await upload('left.csv', csv)).body.id
    const running = (await upload('running.csv', csv)).body.id
    const { id } = (await start(running, mapping)).body
    await fixture.tool.write(ageImports, {})
    await sweepUploads(fixture.server.app.ctx)
    expect([(await uploads()).includes(left), (await uploads()).includes(running)]).toEqual([true, true])
    expect((await start(left, mapping)).status).toBe(404)
    await finish()
    expect((await job(id)).status).toBe('finished')
    expect(await uploads()).not.toContain(running)
    expect(await report(running)).toBe('')
  })
})

describe('a mapping', () => {
  test.each([
    [{ fields: [{ source: 'nope', target: 'text' }] }, 'no column "nope"'],
    [{ fields: [{ source: 'text', target: 'nope' }] }, 'no field "nope"'],
    [{ ...mapping, metadata: [{ source: 'size', target: 'nope' }] }, 'no metadata property "nope"'],
    [{ ...mapping, suggestions: [{ source: 'label', target: 'nope' }] }, 'no question "nope"'],
    [{ fields: [...same('text'), { source: 'when', target: 'text' }] }, 'Two columns'],
    [{ ...mapping, external_id: 'nope' }, 'no column "nope"'],
  ])('%j is rejected', async (wrong, reason) => {
    const { upload, check, start } = await begin()
    const { id } = (await upload('rows.csv', csv)).body
    for (const answer of [await check(id, wrong), await start(id, wrong)]) {
      expect([answer.status, answer.body]).toEqual([422, { detail: expect.stringContaining(reason) }])
    }
  })
})

const bad = ['id,text,label,size', 'a,one,yes,1', 'b,two,maybe,2', 'c,,no,3', 'd,four,no,much', 'e,five', 'f,six,no,6'].join('\n')
const badMapping = { fields: same('text'), suggestions: same('label'), metadata: same('size'), external_id: 'id' }
const faults = [
  { row: 2, line: 3, column: 'label', reason: expect.stringContaining('maybe') },
  { row: 3, line: 4, column: 'text', reason: expect.stringContaining('empty') },
  { row: 4, line: 5, column: 'size', reason: expect.stringContaining('integer') },
]
const padded = 'The row has 2 cells, but the header has 4. The missing cells are empty'

/** The reasons of `faults`, in the same order, as message codes that clients can translate. */
const messageByCode = [
  [
    { code: 'suggestionFault', params: { question: 'label' } },
    { code: 'notAnOption', params: { value: '"maybe"', options: '"yes", "no"' } },
  ],
  [{ code: 'fieldsEmpty', params: {} }],
  [
    { code: 'propertyFault', params: { property: 'size' } },
    { code: 'mustBeInteger', params: {} },
  ],
]

describe('a dry run', () => {
  it('reports each bad row and writes nothing', async () => {
    const { upload, check, records } = await begin()
    const { id } = (await upload('rows.csv', bad)).body
    expect((await check(id, badMapping)).body).toEqual({
      rows: 6,
      whole: true,
      errors: faults.map((fault, i) => ({ ...fault, reason_parts: messageByCode[i] })),
      warnings: [
        {
          row: 5,
          line: 6,
          column: null,
          reason: padded,
          reason_parts: [{ code: 'rowPadded', params: { found: '2', expected: '4' } }],
        },
      ],
      records: [
        {
          row: 1,
          external_id: 'a',
          fields: { text: 'one' },
          metadata: { size: 1 },
          suggestions: [{ question: 'label', value: 'yes' }],
        },
        { row: 5, external_id: 'e', fields: { text: 'five' }, metadata: {}, suggestions: [] },
        {
          row: 6,
          external_id: 'f',
          fields: { text: 'six' },
          metadata: { size: 6 },
          suggestions: [{ question: 'label', value: 'no' }],
        },
      ],
    })
    expect(await records()).toEqual([])
  })
})

describe('an import', () => {
  it('creates records from rows, with suggestions and metadata', async () => {
    const { upload, start, job, finish, records } = await begin()
    const { id } = (await upload('rows.csv', csv)).body
    const { status, body } = await start(id, mapping)
    expect([status, body.status, body.done, body.total]).toEqual([202, 'queued', 0, csv.length])
    await finish()
    const counts = { rows: 4, created: 4, updated: 0, failed: 0 }
    expect(await job(body.id)).toEqual({
      id: body.id,
      status: 'finished',
      done: csv.length,
      total: csv.length,
      reason: null,
      import: counts,
    })
    const [first, , third] = await records()
    expect([first?.external_id, first?.fields, first?.metadata]).toEqual(['d1', { text: 'First, of all' }, { size: 10 }])
    expect(first?.suggestions?.map(({ value }) => value)).toEqual(['yes', ['x', 'y'], 1])
    expect(third?.suggestions?.map(({ value }) => value)).toEqual(['yes', 1])
    expect((await start(id, mapping)).status).toBe(422)
  })

  it('reports bad rows and stores the others', async () => {
    const { upload, start, job, finish, records, report } = await begin()
    const { id } = (await upload('rows.csv', bad)).body
    const started = (await start(id, badMapping)).body
    await finish()
    expect(await job(started.id)).toMatchObject({ status: 'finished', import: { rows: 6, created: 3, failed: 3 } })
    expect((await records()).map(({ external_id }) => external_id)).toEqual(['a', 'e', 'f'])
    expect(
      (await report(id))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(faults)
    const table = (await report(id, 'csv')).trimEnd().split('\r\n')
    expect([table[0], table[2]]).toEqual(['row,line,column,reason', expect.stringMatching(/^3,4,text,/)])
  })

  it('keeps the rows before a fatal error and reports its position', async () => {
    const { upload, start, job, finish, records, report } = await begin()
    const { id } = (await upload('rows.json', `[\n${'{"text": "fine"},\n'.repeat(150)}{"text": "never closed"\n`)).body
    const started = (await start(id, { fields: same('text') })).body
    await finish()
    const after = await job(started.id)
    expect(after).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('line 152'),
      import: { created: 150, failed: 1 },
    })
    expect(await records()).toHaveLength(150)
    expect(JSON.parse(await report(id))).toMatchObject({ row: 151, line: 152 })
  })

  it('fails when its dataset is deleted or accepts no records', async () => {
    const draft = importer(fixture.server, await fixture.server.createDataset({ ...spec, publish: false }))
    const uploadId = (await draft.upload('rows.csv', csv)).body.id
    expect(await draft.start(uploadId, mapping)).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('not published') },
    })
    const dataset = await fixture.server.createDataset(spec)
    const { upload, start, finish, job } = importer(fixture.server, dataset)
    const started = (await start((await upload('rows.csv', csv)).body.id, mapping)).body
    await fixture.server.clientFor(fixture.server.owner).delete(`/datasets/${dataset.id}`)
    await finish()
    expect((await job(started.id)).status).toBe('failed')
  })

  it('fails when its user may no longer add records', async () => {
    const dataset = await fixture.server.createDataset(spec)
    const admin = await fixture.server.createUser({ role: 'admin', workspaces: [dataset.workspace_id] })
    const { upload, start, finish } = importer(fixture.server, dataset, admin)
    const started = (await start((await upload('rows.csv', csv)).body.id, mapping)).body
    await fixture.server.clientFor(fixture.server.owner).delete(`/workspaces/${dataset.workspace_id}/users/${admin.id}`)
    await finish()
    const owner = importer(fixture.server, dataset)
    expect(await owner.job(started.id)).toMatchObject({
      status: 'failed',
      reason: 'Operation not allowed',
      reason_parts: [{ code: 'notAllowed', params: {} }],
    })
    expect(await owner.records()).toEqual([])
  })
})
