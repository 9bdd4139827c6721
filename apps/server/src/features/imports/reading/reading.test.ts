import { Problem } from '@postil/contract/wire/errors.ts'
import { describe, expect, it, test } from 'vitest'
import { openLayout } from './open-layout.ts'
import { MAX_ROW } from './pieces.ts'
import { fileOf, readAll, setUpFiles } from './testing/read-file.ts'

setUpFiles()

const table = 'id,text,note\r\n1,"a ""quoted"", one",\r\n\r\n2,"two\nlines",""\n3,5" pipe,x\n4,short\n5,"a"b,c\n6,ä,😀'
const tableRows = [
  [1, 2, { id: '1', text: 'a "quoted", one', note: null }],
  [2, 4, { id: '2', text: 'two\nlines', note: '' }],
  [3, 6, { id: '3', text: '5" pipe', note: 'x' }],
  [4, 7, { id: '4', text: 'short', note: null }],
  [5, 8, 'There is extra text after the closing quote in cell 2'],
  [6, 9, { id: '6', text: 'ä', note: '😀' }],
]
const list = '\n[ {"a": "],[\\"", "b": [1, {"c": 2}]},\n {"a": 2},, 7,\n\n{"a": }, {"a": 3} ]\n'
const listRows = [
  [1, 2, { a: '],["', b: [1, { c: 2 }] }],
  [2, 3, { a: 2 }],
  [3, 3, 'A value is missing before a comma in the list'],
  [4, 3, 'The row is not a JSON object'],
  [5, 5, 'The row is not valid JSON'],
  [6, 5, { a: 3 }],
]
const lines = '{"a": 1}\n\n{"a": \n{"a": 2}\r\nnull\n{"a": 3}'
const lineRows = [
  [1, 1, { a: 1 }],
  [2, 3, 'The row is not valid JSON'],
  [3, 4, { a: 2 }],
  [4, 5, 'The row is not a JSON object'],
  [5, 6, { a: 3 }],
]

describe.each([1, 2, 3, 100])('in batches of %i', (limit) => {
  test('a table', async () => expect(await readAll(table, 'csv', limit)).toEqual(tableRows))
  test('a table with a byte order mark', async () => expect(await readAll(`\ufeff${table}`, 'csv', limit)).toEqual(tableRows))
  test('a table with semicolons', async () => {
    expect(await readAll('a;b\n"x;y";1,5\n', 'csv', limit)).toEqual([[1, 2, { a: 'x;y', b: '1,5' }]])
  })
  test('a table with pipes', async () => {
    expect(await readAll('|\na|b\n"x|y"|1,5\n', 'csv', limit)).toEqual([[1, 3, { a: 'x|y', b: '1,5' }]])
    expect(await readAll('a|b,c\n1,2\n', 'csv', limit)).toEqual([[1, 2, { 'a|b': '1', c: '2' }]])
  })
  test('a table with carriage returns only, and a line feed in a cell', async () => {
    const rows = [
      [1, 3, { a: 'x\ny', b: null }],
      [2, 5, { a: '2', b: '3' }],
    ]
    expect(await readAll('a,b\r\r"x\ny",\r2,3', 'csv', limit)).toEqual(rows)
    expect(await readAll('\ufeffa,b\r\r"x\ny",\r2,3\r', 'csv', limit)).toEqual(rows)
  })
  test.each([';', '|', '\t', ','])('a table that declares %j as its separator', async (mark) => {
    const content = `SEP=${mark}\r\na, b${mark}c\r\n1${mark}"x${mark}y"\r\n`
    const read = [[1, 3, { 'a, b': '1', c: `x${mark}y` }]]
    if (mark === ',') expect(await readAll(content, 'csv', limit)).toEqual([[1, 3, { a: '1', b: 'x,y', c: null }]])
    else expect(await readAll(content, 'csv', limit)).toEqual(read)
  })
  test('a table with rows that contain only separators', async () => {
    const content = 'a;b\r\n;\r\n1;2\r\n;;;\r\n"";\r\n;\r\n;\r\n'
    expect(await readAll(content, 'csv', limit)).toEqual([
      [1, 3, { a: '1', b: '2' }],
      [2, 5, { a: '', b: null }],
    ])
  })
  test('a table whose only column is named like a separator declaration', async () =>
    expect(await readAll('sep\n=;', 'csv', limit)).toEqual([[1, 2, { sep: '=;' }]]))
  test('objects that span lines, as in the same bytes on one line', async () => {
    const objects = ['{\n  "a": "} {\\"",\n  "b": [\n{"c": 2}]\n}', '\n\n{"a":\n2}', '{"a": 3}\n']
    const rows = [
      [1, 1, { a: '} {"', b: [{ c: 2 }] }],
      [2, 7, { a: 2 }],
      [3, 8, { a: 3 }],
    ]
    for (const format of ['json', 'jsonl'] as const) {
      expect(await readAll(objects.join(''), format, limit)).toEqual(rows)
      expect(await readAll(`\ufeff${objects[0]}`, format, limit)).toEqual(rows.slice(0, 1))
      expect(await readAll(`${objects[0]}\n{"a": [1}`, format, limit)).toEqual([rows[0], [2, 6, 'The row is not valid JSON']])
    }
    expect(await readAll('{"a":\n', 'jsonl', limit)).toEqual([[1, 1, 'The row is not valid JSON']])
  })
  test('a table with tabs', async () =>
    expect(await readAll('a\tb\nx, y\t2', 'tsv', limit)).toEqual([[1, 2, { a: 'x, y', b: '2' }]]))
  describe('a table with tabs and quotes', () => {
    const texts = async (content: string) => {
      const rows = (await readAll(content, 'tsv', limit)) as readonly (readonly [number, number, { text: string } | string])[]
      return rows.map(([, , values]) => (typeof values === 'string' ? values : values.text))
    }
    const head = 'id\ttext\tlabel\n'
    test('keeps each line a row if quotes are text', async () => {
      const content = `${head}1\tplain\tpos\n2\t"She said\tneg\n3\tanother\tpos\n4\tand that was it"\tpos\n5\tlast\tneg\n`
      const read = ['plain', '"She said', 'another', 'and that was it"', 'last']
      expect(await texts(content)).toEqual(read)
      expect(await texts(content.replaceAll('\n', '\r\n'))).toEqual(read)
    })
    test('keeps quotes at the beginning of a text, around a text, and after a number', async () =>
      expect(await texts(`${head}1\t"Hello," he said\tpos\n2\t"All"\tneg\n3\t5" pipe\tpos\n`)).toEqual([
        '"Hello," he said',
        '"All"',
        '5" pipe',
      ]))
    test('keeps quotes around a text with a comma if other texts with commas have none', async () =>
      expect(await texts(`${head}1\t"Hello, world"\tpos\n2\tplain, too\tneg\n`)).toEqual(['"Hello, world"', 'plain, too']))
    test('keeps a quote that is never closed', async () =>
      expect(await texts(`${head}1\t"open\tpos\n2\tplain\tneg\n`)).toEqual(['"open', 'plain']))
    test('reads cells that a program quoted', async () => {
      expect(await texts(`${head}1\t"Hello, world"\tpos\n2\tplain\tneg\n`)).toEqual(['Hello, world', 'plain'])
      expect(await texts('"id"\t"text"\t"label"\n"1"\t"All"\t"pos"\n"2"\t"short"\n')).toEqual(['All', 'short'])
      expect(await texts(`${head}1\t"She said ""yes"""\tpos\n2\tplain\tneg\n`)).toEqual(['She said "yes"', 'plain'])
      expect(await texts('"id"\t"text"\t"label"\n"1"\t"All"\t"pos"\n')).toEqual(['All'])
      expect(await texts(`${head}1\t"two\nlines"\tpos\n2\t"a\ttab"\tneg\n`)).toEqual(['two\nlines', 'a\ttab'])
    })
    test('reads quotes as text if neither reading fits all rows', async () =>
      expect(await texts(`${head}1\t"open\tpos\n2\tplain\n3\tlast\tneg\n`)).toEqual(['"open', 'plain', 'last']))
  })
  test('a JSON array', async () => expect(await readAll(list, 'json', limit)).toEqual(listRows))
  test('JSON Lines', async () => expect(await readAll(lines, 'jsonl', limit)).toEqual(lineRows))
  test('non-numbers, as Python writes them', async () => {
    const row = '{"NaN": NaN, "a": [1,NaN,"NaN \\" NaN"], "b": {"c":NaN}}'
    const read = { NaN: null, a: [1, null, 'NaN " NaN'], b: { c: null } }
    expect(await readAll(`${row}\n${row}\n{"a": nNaN}`, 'jsonl', limit)).toEqual([
      [1, 1, read],
      [2, 2, read],
      [3, 3, 'The row is not valid JSON'],
    ])
    expect(await readAll(`[${row}, {"a": -Infinity}]`, 'json', limit)).toEqual([
      [1, 1, read],
      [2, 1, 'The row is not valid JSON'],
    ])
  })
  test('a list of records inside an object', async () => {
    const items = list.slice(1, -1)
    for (const format of ['json', 'jsonl'] as const)
      for (const content of [
        `\n{"data": ${items}}\n`,
        `\n{"reviews" :${items}}`,
        `\ufeff\n{"version": "1.0", "features": [{"name": "a", "note": "\\"}, ["}], "rows":${items}, "total": {"data": [1]}}`,
        `\n{"Records": ${items}, "next": ${JSON.stringify('x'.repeat(600_000))}}`,
      ])
        expect(await readAll(content, format, limit)).toEqual(listRows)
    expect(await readAll('{\n"data": [\n{"a": 1}\n]\n}', 'json', limit)).toEqual([[1, 2, { a: 1 }]])
  })
  test('an object that is itself a record, although it contains a list', async () => {
    for (const content of [
      '{"id": 1, "parts": [{"a": 1}]}',
      '{"messages": [{"role": "user", "content": "a"}]}',
      '{"data": [1, 2]}',
      '{"data": []}',
      '{"data": {"items": [{"a": 1}]}}',
      '{"text": "\\"data\\": [{}]"}',
    ])
      for (const format of ['json', 'jsonl'] as const)
        expect(await readAll(content, format, limit)).toEqual([[1, 1, JSON.parse(content)]])
    expect(await readAll('{"data": [{"a": 1}]}\n{"data": [{"a": 2}]}', 'jsonl', limit)).toEqual([
      [1, 1, { data: [{ a: 1 }] }],
      [2, 2, { data: [{ a: 2 }] }],
    ])
  })
  test('a JSON array with the extension of JSON Lines, and vice versa', async () => {
    expect(await readAll(list, 'jsonl', limit)).toEqual(listRows)
    expect(await readAll('{"a": 1}', 'json', limit)).toEqual([[1, 1, { a: 1 }]])
    const long = `\ufeff\n{"a": "${'x'.repeat(100_000)}"}\r\n\r\n{"b": 2}`
    expect(await readAll(long, 'json', limit)).toMatchObject([
      [1, 2, {}],
      [2, 4, { b: 2 }],
    ])
  })
})

describe('errors after which nothing can be read', () => {
  test.each([
    ['json', '[{"a": 1},\n {"a": 2}', 2, 2, 'not closed'],
    ['json', '{"data": [{"a": 1},\n {"a": 2}', 2, 2, 'not closed'],
    ['json', ' ', 1, 1, 'empty'],
  ] as const)('%s %j', async (format, content, row, line, reason) => {
    const broken = (await readAll(content, format, 100)).at(-1) as readonly unknown[]
    expect(broken).toEqual(['broken', row, line, expect.stringContaining(reason)])
  })

  it.each(['csv', 'json', 'jsonl'] as const)(
    'an unterminated row of %s is abandoned after the maximum number of bytes',
    async (format) => {
      const endless = 'x'.repeat(MAX_ROW + 600_000)
      const content = { csv: `a\nfine\n"${endless}`, json: `[{"a":1},"${endless}`, jsonl: `{"a":1}\n"${endless}` }[format]
      const rows = await readAll(content, format, 100)
      expect(rows.map((row) => (row as unknown[])[0])).toEqual([1, 'broken'])
      expect(rows.at(-1)).toEqual(['broken', 2, expect.any(Number), expect.stringContaining(`${MAX_ROW} bytes`)])
    },
  )
})

describe('errors that affect one row', () => {
  test('a quote that is never closed', async () =>
    expect(await readAll('a\nx\n"never closed\ny\nz', 'csv', 100)).toEqual([
      [1, 2, { a: 'x' }],
      [2, 3, 'A quote that opens in this row is not closed'],
      [3, 4, { a: 'y' }],
      [4, 5, { a: 'z' }],
    ]))
  test.each([1, 2, 100])('text after the end of a list, in batches of %i', async (limit) => {
    const ended = 'There is extra content after the end of the list'
    expect(await readAll('[{"a": 1}] more', 'json', limit)).toEqual([
      [1, 1, { a: 1 }],
      [2, 1, ended],
    ])
    expect(await readAll('[{"a": 1}]\n[{"a": 2},\n{"a": 3}]{}', 'json', limit)).toEqual([
      [1, 1, { a: 1 }],
      [2, 2, { a: 2 }],
      [3, 3, { a: 3 }],
      [4, 3, ended],
    ])
  })
})

it('a million nested levels are one bad row', async () => {
  const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
  const fault = expect.stringMatching(/^The row is nested more than \d+ levels deep$/)
  expect(await readAll(`{"a":${deep}}\n{"a":1}`, 'jsonl', 100)).toEqual([
    [1, 1, fault],
    [2, 2, { a: 1 }],
  ])
  expect(await readAll(`[{"a":${deep}},{"a":1}]`, 'json', 100)).toEqual([
    [1, 1, fault],
    [2, 1, { a: 1 }],
  ])
})

describe('a header', () => {
  test.each([
    ['\r\n \r\nid,text\r\n1,one\r\n', 'csv', 4],
    ['\ufeff;\n;\nid;text\n1;one', 'csv', 4],
    ['sep=;\n;\nid;text\n1;one', 'csv', 4],
    ['\r\rid,text\r1,one', 'csv', 4],
    ['\t\n\nid\ttext\n1\tone', 'tsv', 4],
  ] as const)('%j can follow rows without cells, as spreadsheets write them', async (content, format, line) => {
    expect(await readAll(content, format, 1)).toEqual([[1, line, { id: '1', text: 'one' }]])
  })
  test.each([
    ['', 'empty'],
    ['\n;;\n', 'empty'],
    ['"a\n', 'not closed'],
  ])('%j is rejected', async (content, reason) => {
    const path = await fileOf(content)
    const error = await openLayout(path, 'csv').catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Problem)
    expect((error as Problem).message).toContain(reason)
  })
  test.each([
    [',text\n0,x', ['A', 'text']],
    [',A,B, \n0,1,2,', ['A_', 'A', 'B', 'D']],
  ])('%j gets column letters for empty names, such as the pandas index', async (content, names) => {
    expect((await openLayout(await fileOf(content), 'csv')).header).toEqual(names)
  })
})
