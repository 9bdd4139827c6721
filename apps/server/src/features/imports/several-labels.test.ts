import { describe, expect, it } from 'vitest'
import { withDecimalPoint } from './rows/cast.ts'
import { importer, same, setUpImports, spec } from './testing/fixtures.ts'

const fixture = setUpImports()
const begin = async () => importer(fixture.server, await fixture.server.createDataset(spec))

describe('labels', () => {
  it.each([
    ['x|y', '|'],
    ['x; y', ';'],
    [' x , y ', ','],
    ["['x', 'y']", null],
    ['["x", "y"]', null],
  ])('in a cell such as %j become a list', async (cell, separator) => {
    const { upload, start, job, finish, records } = await begin()
    const { id } = (await upload('rows.tsv', `text\ttags\nOne\t${cell}\nTwo\tx\nThree\t\n`)).body
    const mapping = { fields: same('text'), suggestions: [{ source: 'tags', target: 'tags', ...(separator && { separator }) }] }
    const started = (await start(id, mapping)).body
    await finish()
    expect(await job(started.id)).toMatchObject({ status: 'finished', import: { rows: 3, created: 3, failed: 0 } })
    const found = (await records()).map(({ suggestions = [] }) => suggestions.map(({ value }) => value))
    expect(found).toEqual([[['x', 'y']], [['x']], []])
  })

  it('in columns of 0 and 1 become one list, and other values are refused', async () => {
    const { upload, start, job, finish, records } = await begin()
    const { id } = (await upload('rows.csv', 'text,first,second\nOne,1,0\nTwo,0,0\nThree,1,1\nFour,2,0\n')).body
    const suggestions = [
      { source: 'first', target: 'tags', option: 'x' },
      { source: 'second', target: 'tags', option: 'y' },
    ]
    const started = (await start(id, { fields: same('text'), suggestions })).body
    await finish()
    expect(await job(started.id)).toMatchObject({ import: { rows: 4, created: 3, failed: 1 } })
    const found = (await records()).map((record) => (record.suggestions ?? []).map(({ value }) => value))
    expect(found).toEqual([[['x']], [], [['x', 'y']]])
  })

  it('lose the blanks around them, and get the score of another column', async () => {
    const { upload, start, finish, records } = await begin()
    const { id } = (await upload('rows.csv', 'text,label,confidence\nOne, yes ,0.25\nTwo,no,\n')).body
    const suggestions = [{ source: 'label', target: 'label', score: 'confidence' }]
    await start(id, { fields: same('text'), suggestions })
    await finish()
    const found = (await records()).map((record) => (record.suggestions ?? []).map(({ value, score }) => [value, score]))
    expect(found).toEqual([[['yes', 0.25]], [['no', null]]])
  })
})

describe('the proposals for a file', () => {
  const columnsOf = async (name: string, content: string) => {
    const { upload } = await begin()
    return (await upload(name, content)).body.columns
  }
  const rows = (header: string, row: (i: number) => string) =>
    [header, ...Array.from({ length: 12 }, (_, i) => `A text with the number ${i},${row(i)}`)].join('\n')

  it('name the separator of several labels, but not of labels that contain commas', async () => {
    const [, genres] = await columnsOf(
      'rows.csv',
      rows('text,genres', (i) => ['a|b', 'b|c', 'a'][i % 3] ?? ''),
    )
    expect([genres?.separator, genres?.values, genres?.proposal?.type]).toEqual(['|', ['a', 'b', 'c'], 'multi_label_selection'])
    const [, city] = await columnsOf(
      'rows.csv',
      rows('text,city', (i) => `"${['New York, NY', 'Boston, MA'][i % 2]}"`),
    )
    expect([city?.separator, city?.proposal?.type]).toEqual([undefined, 'label_selection'])
  })

  it('combine columns of 0 and 1, and find scores and decimal commas', async () => {
    const flags = await columnsOf(
      'rows.csv',
      rows('text,a,b,c', (i) => `${i % 2},0,${i % 3 === 0 ? 1 : 0}`),
    )
    expect(flags.map(({ group }) => group)).toEqual([undefined, 'labels', 'labels', 'labels'])
    const scored = await columnsOf(
      'rows.csv',
      rows('text,label,score', (i) => `${i % 2 ? 'x' : 'y'},0.${i + 1}`),
    )
    expect(scored.map((column) => [column.proposal?.role, column.score_of])).toEqual([
      ['field', undefined],
      ['suggestion', undefined],
      [undefined, 'label'],
    ])
    const german = await columnsOf('rows.csv', 'text;betrag\neins;3,5\nzwei;1.000,25\ndrei;2.000\n')
    expect(german.map(({ type }) => type)).toEqual(['text', 'float'])
    expect(['3,5', '1.000,25', '2.000', '7', '1.5'].map(withDecimalPoint)).toEqual(['3.5', '1000.25', '2000', '7', '1.5'])
  })

  it('unfold nested objects by path', async () => {
    const row = (i: number) =>
      JSON.stringify({ body: { text: `A text ${i}` }, meta: { source: i % 2 ? 'web' : 'mail', at: { hour: i } } })
    const columns = await columnsOf('rows.jsonl', Array.from({ length: 6 }, (_, i) => row(i)).join('\n'))
    expect(columns.map(({ name, proposal }) => [name, proposal?.role])).toEqual([
      ['body', undefined],
      ['body.text', 'field'],
      ['meta', undefined],
      ['meta.source', 'suggestion'],
      ['meta.at.hour', 'metadata'],
    ])
  })
})
