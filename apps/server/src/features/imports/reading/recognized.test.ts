import { readFile } from 'node:fs/promises'
import { renderMessage } from '@postil/contract/wire/render-message.ts'
import { describe, expect, test } from 'vitest'
import { pngOf } from '#platform/images/testing/png.ts'
import { makeZip } from '#platform/zip/testing/make-zip.ts'
import { readBatch } from './batch.ts'
import { openLayout } from './open-layout.ts'
import { fileOf, readAll, setUpFiles } from './testing/read-file.ts'
import { openText } from './text-file.ts'

setUpFiles()

describe.each([1, 2, 100])('in batches of %i, JSON', (limit) => {
  const ofValues = (rows: readonly object[]) => rows.map((row, i) => [i + 1, expect.any(Number), row])
  test.each([
    ['a list of texts', '["a", "b"]', [{ text: 'a' }, { text: 'b' }]],
    ['texts by line', '"a"\n"b"\n', [{ text: 'a' }, { text: 'b' }]],
    [
      'a list of lists',
      '[["a", 1], ["b"]]',
      [
        { A: 'a', B: 1 },
        { A: 'b', B: null },
      ],
    ],
    [
      'lists with names',
      '[["text", "n"], ["a", 1], ["b", 2]]',
      [
        { text: 'a', n: 1 },
        { text: 'b', n: 2 },
      ],
    ],
    [
      'lists by line',
      '["a", 1]\n["b", 2]',
      [
        { A: 'a', B: 1 },
        { A: 'b', B: 2 },
      ],
    ],
    [
      'split by pandas',
      '{"columns":["t","n"],"index":[0,1],"data":[["a",1],["b",2]]}',
      [
        { t: 'a', n: 1 },
        { t: 'b', n: 2 },
      ],
    ],
    [
      'columns of pandas',
      '{"t":{"0":"a","1":"b"},"n":{"0":1,"1":2}}',
      [
        { t: 'a', n: 1 },
        { t: 'b', n: 2 },
      ],
    ],
    [
      'an index of pandas',
      '{"0":{"t":"a"},"1":{"t":"b"}}',
      [
        { id: '0', t: 'a' },
        { id: '1', t: 'b' },
      ],
    ],
    [
      'records by name',
      '{"x":{"t":"a"},\n"y":{"t":"b"}}',
      [
        { id: 'x', t: 'a' },
        { id: 'y', t: 'b' },
      ],
    ],
    [
      'lists by column',
      '{"t": ["a", "b"], "n": [1, 2]}',
      [
        { t: 'a', n: 1 },
        { t: 'b', n: 2 },
      ],
    ],
    ['tokens of one record', '{"tokens": ["a", "b"], "ner_tags": [1, 2]}', [{ tokens: ['a', 'b'], ner_tags: [1, 2] }]],
    ['rows of the viewer', '{"rows":[{"row_idx":0,"row":{"t":"a"},"truncated_cells":[]}]}', [{ t: 'a' }]],
    [
      'values of Python',
      "{'t': \"it's\", 'n': None, 'l': (1, 2,)}\n{'t': 'b\\n', 'n': True}",
      [
        { t: "it's", n: null, l: [1, 2] },
        { t: 'b\n', n: true },
      ],
    ],
    ['a list of Python', "[{'t': '],['}, {'t': 'b'}]", [{ t: '],[' }, { t: 'b' }]],
    ['a line break in a text', '{"t":"a\nb"}\n{"t":"c"}', [{ t: 'a\nb' }, { t: 'c' }]],
    ['commas before brackets', '[{"t":"a",},{"t":"b"},]', [{ t: 'a' }, { t: 'b' }]],
    ['training data of spaCy', '[["a b", {"entities": [[0, 1, "X"]]}]]', [{ text: 'a b', entities: [[0, 1, 'X']] }]],
    ['large numbers', "{'n': 12345678901234567890}", [{ n: '12345678901234567890' }]],
  ])('%s', async (_name, content, rows) => {
    expect(await readAll(content, 'json', limit)).toEqual(ofValues(rows))
  })
  test('rows of another kind are refused', async () => {
    expect(await readAll('["a", {"t": 1}]', 'json', limit)).toEqual([
      [1, 1, 'The row is not a JSON object'],
      [2, 1, { t: 1 }],
    ])
    const texts = Array.from({ length: 40 }, (_, i) => `"${i}"`)
    expect((await readAll(`[${texts.join(',')},{"a":1}]`, 'json', limit)).at(-1)).toEqual([41, 1, 'The row is not text'])
  })
})

describe.each([1, 2, 100])('in batches of %i, a text file', (limit) => {
  const read = async (content: string, unit?: 'line' | 'paragraph' | 'file') =>
    (await readAll(content, 'txt', limit, { unit })).map((row) => (row as unknown[])[2])
  const content = 'First line\n\n  Second paragraph\r\nThird\n'
  test('has a row per line, per paragraph, or one', async () => {
    expect(await read(content)).toEqual([{ text: 'First line' }, { text: '  Second paragraph' }, { text: 'Third' }])
    expect(await read(content, 'paragraph')).toEqual([{ text: 'First line' }, { text: '  Second paragraph\r\nThird' }])
    expect(await read(content, 'file')).toEqual([{ text: 'First line\n\n  Second paragraph\r\nThird' }])
    expect(await read('a\rb\rc')).toEqual([{ text: 'a' }, { text: 'b' }, { text: 'c' }])
  })
  test('can contain a table, JSON or tokens', async () => {
    expect(await read('a\tb\n1\tx\n')).toEqual([{ a: '1', b: 'x' }])
    expect(await read('{"a": 1}\n{"a": 2}')).toEqual([{ a: 1 }, { a: 2 }])
    expect(await read('EU B-ORG\nis O\n\nParis B-LOC\n')).toMatchObject([{ tokens: ['EU', 'is'] }, { tokens: ['Paris'] }])
    expect(await read('[Intro]\none; two')).toEqual([{ text: '[Intro]' }, { text: 'one; two' }])
  })
})

describe('the heading of a table', () => {
  const opened = async (content: string, choice = {}) => {
    const { header, delimiter, headingRow } = await openLayout(await fileOf(content), 'csv', choice)
    return [delimiter, headingRow, ...header]
  }
  test.each([
    ['Report 2024;;\n\nid;text;label\n1;hello, you;x\n2;b;y', [';', 3, 'id', 'text', 'label']],
    ['Report\nCreated by:,Ann,,\nid,text,label,n\n1,a,x,4', [',', 3, 'id', 'text', 'label', 'n']],
    ['0,The first text,pos\n1,Another text,neg\n2,One more,pos', [',', 0, 'A', 'B', 'C']],
    ['great film,pos\nbad film,neg\nnice,pos\nfine,pos', [',', 0, 'A', 'B']],
    [',text\n0,a\n1,b', [',', 1, 'A', 'text']],
    ['id,2020,2021\n1,5,6\n2,7,8', [',', 1, 'id', '2020', '2021']],
    ['text,text,label, text \na,b,c,d', [',', 1, 'text', 'text_2', 'label', 'text_3']],
    ['text\nhello, world\n"a, b"', ['\0', 1, 'text']],
    ['name;age\nMeier, Hans;30\nMuller, Jo;4,5', [';', 1, 'name', 'age']],
  ])('%j is found', async (content, expected) => expect(await opened(content)).toEqual(expected))
  test('can be chosen, like the separator', async () => {
    const content = 'a;b\nc;d\n1;2\n'
    expect(await opened(content, { heading_row: 2 })).toEqual([';', 2, 'c', 'd'])
    expect(await opened(content, { heading_row: 0 })).toEqual([';', 0, 'A', 'B'])
    expect(await opened('a^b;c\n1^2', { separator: '^' })).toEqual(['^', 1, 'a', 'b;c'])
    await expect(opened(content, { heading_row: 9 })).rejects.toThrow('No row begins on line 9')
  })
})

describe('the warnings of a table', () => {
  const warnings = async (content: string) => {
    const path = await fileOf(content)
    const { rows } = await readBatch({ file: path, unfolded: () => path, text: () => path }, await openLayout(path, 'csv'), {
      from: { offset: content.indexOf('\n') + 1, row: 0, line: 1 },
    })
    return rows.map(({ warnings: found = [] }) => found.map(({ column, reason }) => [column, renderMessage(reason)]))
  }
  test('name rows with missing and additional cells', async () =>
    expect(await warnings('a,b\n1\n1,2,,\n1,2\n')).toEqual([
      [[null, 'The row has 1 cell, but the header has 2. The missing cells are empty']],
      [[null, 'The row has 4 cells, but the header has 2. The additional cells are empty']],
      [],
    ]))
  test('name cells that may contain rows', async () =>
    expect(await warnings('a,b,c\n1,"x,p\n2,y,q\n3,z",r\n4,"one\n2,5",s\n5,"one, a,\nand, two",t\n')).toEqual([
      [['b', expect.stringContaining('3 lines that look like rows')]],
      [['b', expect.stringContaining('spans 2 lines')]],
      [],
    ]))
})

describe('the text of a file', () => {
  const opened = async (bytes: Uint8Array) => {
    const path = await fileOf(Buffer.from(bytes))
    const text = await openText(path, (encoding) => `${path}.${encoding}`)
    const { encoding, end, damagedAt } = text
    return { encoding, text: await readFile(text.path, 'utf8'), end, ...(damagedAt !== undefined && { damagedAt }) }
  }
  /** Text that is longer than the chunks in which files are read. Some of its characters are split between two chunks. */
  const long = (part: string) => part.repeat(Math.ceil(600_000 / Buffer.byteLength(part)))

  test('in UTF-8 stays the same', async () => {
    for (const text of ['', 'a', 'ab', 'aäб😀€ the end 😀', long('aäб😀€')])
      expect(await opened(Buffer.from(text))).toEqual({ encoding: 'utf-8', text, end: undefined })
  })

  test('in UTF-16 is converted, with and without a byte order mark', async () => {
    for (const text of ['aäб😀€ the end of the line 😀', long('a longer text with ä and 😀 in it. ')]) {
      const little = Buffer.from(text, 'utf16le')
      const big = Buffer.from(little).swap16()
      const mark = Buffer.from([0xff, 0xfe])
      for (const [bytes, encoding] of [
        [little, 'utf-16le'],
        [Buffer.concat([mark, little]), 'utf-16le'],
        [big, 'utf-16be'],
        [Buffer.concat([Buffer.from(mark).swap16(), big]), 'utf-16be'],
      ] as const)
        expect(await opened(bytes)).toEqual({ encoding, text, end: Buffer.byteLength(text) })
    }
    await expect(opened(Buffer.from('\ufeffab😀', 'utf16le').subarray(0, -1))).rejects.toThrow('not in the encoding utf-16le')
  })

  test.each([
    [
      'windows-1252',
      'Nr;Größe\n1;groß – „wörtlich“ 4,50 €\n',
      '4e723b4772f6df650a313b67726fdf2096208477f672746c6963689320342c353020800a',
    ],
    [
      'windows-1251',
      'номер;текст\n1;Доставка пришла очень поздно, товар сломан\n',
      'edeeece5f03bf2e5eaf1f20a313bc4eef1f2e0e2eae020eff0e8f8ebe020eef7e5edfc20efeee7e4edee2c20f2eee2e0f020f1ebeeece0ed0a',
    ],
    [
      'shift_jis',
      '番号,本文\n1,配送が遅い。\n2,とても良い\n',
      '94d48d862c967b95b60a312c947a919782aa927882a281420a322c82c682c482e097c782a20a',
    ],
    [
      'gb18030',
      '编号,内容\n1,松花蛋,粥\n2,服务很好，送货快\n',
      'b1e0bac52cc4dac8dd0a312ccbc9bba8b5b02cd6e00a322cb7fecef1badcbac3a3accbcdbbf5bfec0a',
    ],
    ['euc-kr', '번호,내용\n1,배송이 너무 늦었어요\n', 'b9f8c8a32cb3bbbfeb0a312cb9e8bcdbc0cc20b3cab9ab20b4cabefabeeebfe40a'],
  ])('in %s is recognized', async (encoding, text, hex) => {
    expect(await opened(Buffer.from(hex, 'hex'))).toMatchObject({ encoding, text })
  })

  test.each([
    ['NUL', Buffer.from('ä\0 and more'), 'byte 2'],
    ['control characters', Buffer.from([0x61, 0xff, 0x01, 0x02]), 'byte 1'],
  ])('%s is rejected with its position', async (_name, bytes, place) => {
    await expect(opened(bytes)).rejects.toThrow(place)
  })

  test.each([
    ['a workbook', makeZip([{ name: 'xl/workbook.xml', content: '<workbook/>' }]), '.xlsx / .zip'],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), '.xls'],
    ['an image', pngOf([255, 0, 0]), '.png'],
    ['a document', Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3', 'latin1'), '.pdf'],
  ])('%s is reported with its detected type', async (_name, bytes, kind) => {
    await expect(opened(bytes)).rejects.toThrow(`Its content is ${kind}.`)
  })

  test('in UTF-8 with a few damaged characters is not read in another encoding', async () => {
    const bytes = Buffer.concat([Buffer.from('größe für ähnliche Wörter'), Buffer.from([0xff]), Buffer.from('äöü')])
    const text = 'größe für ähnliche Wörter\ufffdäöü'
    expect(await opened(bytes)).toEqual({ encoding: 'utf-8', text, end: Buffer.byteLength(text), damagedAt: 30 })
    const cutOff = Buffer.from('aä😀').subarray(0, 6)
    expect(await opened(cutOff)).toMatchObject({ encoding: 'utf-8', text: 'aä\ufffd', damagedAt: 3 })
  })
})
