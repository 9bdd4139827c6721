import { detail } from '@postil/testkit/detail.ts'
import { describe, expect, it, test } from 'vitest'
import { makeWorkbook, textRow } from '#platform/xlsx/testing/make-workbook.ts'
import { makeZip } from '#platform/zip/testing/make-zip.ts'
import { importer, same, setUpImports, spec, uploadsOf } from './testing/fixtures.ts'
import { ageHolds } from './testing/operations.ts'

const fixture = setUpImports()
const begin = async () => importer(fixture.server, await fixture.server.createDataset(spec))

const strings = [
  'id',
  'text',
  'label',
  'size',
  'when',
  'Grüße & <mehr>',
  '<r><t>two </t></r><r><t xml:space="preserve">runs</t></r><rPh><t>spoken</t></rPh>',
  'yes',
  'line_x000D_end',
]
const cell = (place: string, type: string, value: string) => `<c r="${place}" t="${type}"><v>${value}</v></c>`
const sheet = [
  `<row r="2">${['A', 'B', 'C', 'D', 'E'].map((column, i) => cell(`${column}2`, 's', String(i))).join('')}</row>`,
  `<row r="3"><c r="A3"><v>7</v></c>${cell('B3', 's', '5')}${cell('C3', 's', '7')}<c r="D3"><f>1+1</f><v>2</v></c><c r="E3" s="1"><v>45351</v></c></row>`,
  '<row r="4"/>',
  `<row r="5"><c r="A5"><v>8</v></c>${cell('B5', 's', '6')}<c r="D5" t="e"><v>#DIV/0!</v></c></row>`,
  `<row r="6"><c r="A6"><v>9</v></c>${cell('B6', 's', '8')}<c r="D6"><f>A1</f></c><c r="E6" s="1"><v>45351.5</v></c></row>`,
  `<row r="7"><c r="A7"><v>10</v></c>${cell('B7', 'str', 'of a formula')}${cell('C7', 'b', '1')}<c r="G7"><v>1</v></c></row>`,
]
const book = () =>
  makeWorkbook({ sheets: { Data: sheet, Other: [textRow(1, 'text', 'more'), textRow(2, 'a', 'b')] }, strings, styles: [0, 14] })
const mapping = { fields: same('text'), suggestions: same('label'), external_id: 'id' }

describe('a workbook', () => {
  it('finds the heading below a title, and reads another one if it is chosen', async () => {
    const { upload } = importer(fixture.server, await fixture.server.createDataset(spec))
    const rows = [textRow(1, 'Report 2024'), textRow(3, 'id', 'text', 'text'), textRow(4, 'a', 'One', 'Two')]
    const { body } = await upload('book.xlsx', new Uint8Array(makeWorkbook({ sheets: { Data: rows } })))
    expect([body.reading.heading_row, body.columns.map(({ name }) => name)]).toEqual([3, ['id', 'text', 'text_2']])
    expect(body.reading.first_rows).toEqual([
      { row: 1, text: 'Report 2024' },
      { row: 3, text: 'id · text · text' },
      { row: 4, text: 'a · One · Two' },
    ])
    const client = fixture.server.clientFor(fixture.server.owner)
    const path = `/datasets/${body.dataset_id}/imports/files/${body.id}/reading`
    const chosen = await client.post<typeof body>(path, { heading_row: 0 })
    expect([chosen.body.columns.map(({ name }) => name), chosen.body.rows.length]).toEqual([['A', 'B', 'C'], 3])
    expect((await client.post(path, { heading_row: 2 })).status).toBe(422)
    const tooFar = await client.post(path, { heading_row: 1001 })
    expect(tooFar).toMatchObject({ status: 422 })
    expect(JSON.stringify(tooFar.body)).toMatch(/less than or equal to 1000.*heading_row|heading_row.*less than or equal to 1000/)
  })

  it('is described by its first sheet, with dates and formula values', async () => {
    const { upload } = await begin()
    const { status, body } = await upload('book.xlsx', book())
    expect([status, body.format, body.sheets, body.sheet]).toEqual([201, 'xlsx', ['Data', 'Other'], 'Data'])
    expect(body.columns.map(({ name, type }) => [name, type])).toEqual([
      ['id', 'integer'],
      ['text', 'text'],
      ['label', 'text'],
      ['size', 'integer'],
      ['when', 'text'],
    ])
    expect(body.rows).toEqual([
      ['7', 'Grüße & <mehr>', 'yes', '2', '2024-02-29'],
      ['8', 'two runs', null, null, null],
      ['9', 'line\rend', null, null, '2024-02-29T12:00:00'],
    ])
    expect(body.mapping).toMatchObject({ fields: same('text'), external_id: 'id' })
  })

  it('reads lists in cells as in a text table', async () => {
    const { upload, check } = await begin()
    const said = ['["a, b", "c"]', '["c"]', '[]']
    const cells = said.map((tags, i) => textRow(i + 2, `row ${i}`, tags))
    const { body } = await upload('lists.xlsx', makeWorkbook({ sheets: { Data: [textRow(1, 'text', 'tags'), ...cells] } }))
    expect(body.columns[1]).toMatchObject({
      type: 'list',
      values: ['a, b', 'c'],
      proposal: { role: 'suggestion', type: 'multi_label_selection' },
    })
    expect((await check(body.id, { fields: same('text'), external_id: null })).body).toMatchObject({ rows: 3, errors: [] })
  })

  it('keeps the digits of numbers that can’t be represented, and loses no other rows', async () => {
    const { upload, check } = await begin()
    const written = ['1e400', '9007199254740993', `1${'0'.repeat(400)}`, '7']
    const cells = written.map((number, i) => `<row r="${i + 2}">${cell(`A${i + 2}`, 'n', number)}</row>`)
    const { body } = await upload('great.xlsx', makeWorkbook({ sheets: { Data: [textRow(1, 'text'), ...cells] } }))
    const checked = (await check(body.id, { fields: same('text') })).body
    expect(checked.errors).toEqual([])
    expect(checked.records.map(({ fields }) => fields.text)).toEqual(written)
  })

  it('becomes records, and reports cells with errors when they are needed', async () => {
    const { upload, check, start, finish, job, records, report } = await begin()
    const { id } = (await upload('book.xlsx', book())).body
    const beyond = { row: 4, line: 7, column: null, reason: 'The row has a cell in column G, which has no header' }
    expect((await check(id, mapping)).body).toMatchObject({ rows: 4, errors: [beyond] })
    const withSize = { ...mapping, metadata: same('size') }
    const started = (await start(id, withSize)).body
    await finish()
    const ended = await job(started.id)
    expect(ended).toMatchObject({ status: 'finished', done: ended.total, import: { rows: 4, created: 1, updated: 0, failed: 3 } })
    const faults = (await report(id))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(faults.map(({ line, reason }) => [line, reason])).toEqual([
      [5, 'Cell D5 contains the error #DIV/0!'],
      [6, expect.stringContaining('The formula in cell D6 has no saved value')],
      [7, beyond.reason],
    ])
    const [first] = await records()
    expect([first?.external_id, first?.fields, first?.metadata]).toEqual(['7', { text: 'Grüße & <mehr>' }, { size: 2 }])
  })

  it('can be read from another sheet until its import starts', async () => {
    const { upload, sheet, start, finish, records } = await begin()
    const { id } = (await upload('book.xlsx', book())).body
    const chosen = await sheet(id, 'Other')
    expect([chosen.status, chosen.body.sheet, chosen.body.rows]).toEqual([200, 'Other', [['a', 'b']]])
    expect(await sheet(id, 'Nope')).toMatchObject({ status: 422, body: { detail: 'The file has no sheet "Nope"' } })
    expect((await start(id, { fields: same('text') })).status).toBe(202)
    expect((await sheet(id, 'Data')).status).toBe(422)
    await finish()
    expect((await sheet(id, 'Data')).status).toBe(422)
    expect((await records()).map(({ fields }) => fields.text)).toEqual(['a'])
    expect((await uploadsOf(fixture.server)).filter((name) => name.startsWith(id))).toEqual([])
  })

  it('with a title page starts at the data', async () => {
    const { upload } = await begin()
    const sheets = { Title: [], Notes: [textRow(1, 'Only a heading')], Data: [textRow(1, 'text'), textRow(2, 'one')] }
    expect((await upload('book.xlsx', makeWorkbook({ sheets }))).body).toMatchObject({ sheet: 'Data', rows: [['one']] })
  })

  detail('resumes after the last batch when the process is killed, and repeats none', async () => {
    const rows = Array.from({ length: 1250 }, (_, i) => textRow(i + 2, `row ${i + 1}`))
    const { upload, start, take, step, finish, job, records } = await begin()
    const { id } = (await upload('many.xlsx', makeWorkbook({ sheets: { Data: [textRow(1, 'text'), ...rows] } }))).body
    const started = (await start(id, { fields: same('text') })).body
    const first = await take()
    if (first === undefined) throw new Error('there is no job')
    expect((await step(first)).state).toBe('started')
    await fixture.tool.write(ageHolds, {})
    await finish()
    expect((await job(started.id)).import).toEqual({ rows: 1250, created: 1250, updated: 0, failed: 0 })
    expect((await records()).map(({ fields }) => fields.text)).toEqual(rows.map((_, i) => `row ${i + 1}`))
  })

  const sealed = Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(2000),
    Buffer.from('EncryptedPackage', 'utf16le'),
    Buffer.alloc(500),
  ])
  const withSheet = (content: string) =>
    makeWorkbook({ sheets: { Data: [] }, more: [{ name: 'xl/worksheets/sheet1.xml', content }] })
  const withRelation = (target: string) =>
    makeWorkbook({
      sheets: { Data: [] },
      more: [
        {
          name: '_rels/.rels',
          content: `<Relationships><Relationship Id="a" Type="/officeDocument" Target="${target}"/></Relationships>`,
        },
      ],
    })
  test.each([
    ['an old workbook', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)]), 'old format .xls'],
    ['a workbook with a password', sealed, 'password-protected'],
    ['a file that is not an archive', Buffer.from('id,text\n1,one\n'), 'is not a workbook \\(.xlsx\\)'],
    ['a truncated workbook', book().subarray(0, 900), 'is not a workbook \\(.xlsx\\) or is incomplete'],
    ['another archive', makeZip([{ name: 'a.txt', content: 'a' }]), 'is not a workbook'],
    ['a workbook without rows', makeWorkbook({ sheets: { Data: [textRow(1, 'text')] } }), 'has no rows'],
    ['an empty sheet', makeWorkbook({ sheets: { Data: [] } }), 'is empty'],
    [
      'a sheet with an XML entity',
      withSheet(
        `<!DOCTYPE x [<!ENTITY a "${'b'.repeat(1000)}">]><worksheet><sheetData><row><c t="str"><v>&a;</v></c></row></sheetData></worksheet>`,
      ),
      'not valid XML',
    ],
    ['a truncated sheet', withSheet('<worksheet><sheetData><row><c t="str"><v>a</v></c></row>'), 'not valid XML|incomplete part'],
    [
      'a reference to a missing text',
      makeWorkbook({ sheets: { Data: [`<row r="1">${cell('A1', 's', '5')}</row>`] } }),
      'text number 5, which it does not contain',
    ],
    ['a part with an invalid URL', withRelation('http://['), 'the part "http:'],
    ['a part with a name that can’t be decoded', withRelation('%zz'), 'the part "_rels/%zz'],
    ['a sheet that unpacks to too much', withSheet(' '.repeat(20_000_000)), 'unpacks to more than'],
    [
      'a sheet with a false size',
      makeWorkbook({
        sheets: { Data: [] },
        more: [{ name: 'xl/worksheets/sheet1.xml', content: ' '.repeat(5000), saysUnpacked: 10 }],
      }),
      'cannot be read',
    ],
  ])('%s is rejected with a message, and nothing is stored', async (_name, content, reason) => {
    const { upload } = await begin()
    const before = await uploadsOf(fixture.server)
    const { status, body } = await upload('book.xlsx', new Uint8Array(content))
    expect([status, body.detail]).toEqual([422, expect.stringMatching(reason)])
    expect(await uploadsOf(fixture.server)).toEqual(before)
  })
})
