import { expect, test } from 'vitest'
import { importer, setUpImports } from './testing/fixtures.ts'

const fixture = setUpImports()
const ROWS = 12

/** Returns the proposal for the second column of a table whose first column contains text. */
const proposalFor = async (name: string, cellOf: (row: number) => string | number) => {
  const { upload } = importer(fixture.server, await fixture.server.createDataset())
  const rows = Array.from({ length: ROWS }, (_, i) => `A text with the number ${i},${cellOf(i)}`)
  const { body } = await upload('rows.csv', [`text,${name}`, ...rows].join('\n'))
  expect(body.columns[0]?.proposal).toEqual({ role: 'field', type: 'text' })
  return body.columns[1]?.proposal
}

const labels = { role: 'suggestion', type: 'label_selection' }
const several = { role: 'suggestion', type: 'multi_label_selection' }
const rating = { role: 'suggestion', type: 'rating' }
const integer = { role: 'metadata', type: 'integer' }
const terms = { role: 'metadata', type: 'terms' }

test.each([
  ['yes and no are labels', 'label', (i: number) => i % 2, labels],
  ['yes and no are labels, whatever the name', 'score', (i: number) => i % 2, labels],
  ['signed classes are labels', 'polarity', (i: number) => (i % 3) - 1, labels],
  ['class numbers are labels', 'category', (i: number) => i % 5, labels],
  ['stars are a rating', 'stars', (i: number) => (i % 5) + 1, rating],
  ['a German rating is a rating', 'Bewertung', (i: number) => (i % 3) + 2, rating],
  ['a rating with a gap is a rating', 'rating', (i: number) => [1, 2, 4, 5][i % 4] ?? 1, rating],
  ['two values are labels, whatever the name', 'stars', (i: number) => (i % 2) + 4, labels],
  ['a constant is metadata', 'label', () => 1, integer],
  ['unique numbers are metadata', 'value', (i: number) => i, integer],
  ['years are metadata', 'published', (i: number) => 2019 + (i % 3), integer],
  ['counts are metadata', 'word_count', (i: number) => i % 3, integer],
  ['annotators are metadata', 'annotator', (i: number) => i % 3, integer],
  ['long numbers are metadata', 'tweet', (i: number) => `17239876543210987${i % 5}`, terms],
  ['dates are metadata', 'created_at', (i: number) => `2024-03-0${(i % 9) + 1}T10:00:00Z`, terms],
  ['dates with dots are metadata', 'datum', (i: number) => `${i + 1}.03.2024`, terms],
  ['web addresses are metadata', 'link', (i: number) => `https://example.org/page/${i}`, terms],
  ['several values in a cell are labels', 'genres', (i: number) => ['Drama', 'Drama|Comedy'][i % 2] ?? '', several],
  ['a Python list has labels', 'moods', (i: number) => ["['joy']", "['anger']"][i % 2] ?? '', several],
  ['workers are metadata', 'WorkerId', (i: number) => `W${i % 3}`, terms],
  ['unique IDs are IDs', 'HITId', (i: number) => `H${i}`, { role: 'external_id', type: null }],
  ['annotators are metadata, also as texts', 'annotator', (i: number) => ['ann', 'ben'][i % 2] ?? '', terms],
  ['a constant text is metadata', 'source', () => 'web', terms],
])('%s', async (_, name, cellOf, expected) => {
  expect(await proposalFor(name, cellOf)).toEqual(expected)
})

test('a rating has the whole scale from 0 or 1, even if nobody has chosen some of its values', async () => {
  const scaleFor = async (ratings: readonly number[]) => {
    const { upload } = importer(fixture.server, await fixture.server.createDataset())
    const rows = Array.from({ length: ROWS }, (_, i) => `A text with the number ${i},${ratings[i % ratings.length]}`)
    return (await upload('rows.csv', ['text,stars', ...rows].join('\n'))).body.columns[1]?.values
  }
  expect(await scaleFor([5, 1, 2, 4])).toEqual(['1', '2', '3', '4', '5'])
  expect(await scaleFor([0, 3, 7])).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
})

test('many labels are labels if no other column has labels, and metadata otherwise', async () => {
  const columnsOf = async (header: string, row: (i: number) => string) => {
    const { upload } = importer(fixture.server, await fixture.server.createDataset())
    const rows = Array.from({ length: 300 }, (_, i) => `A text with the number ${i},${row(i)}`)
    const { body } = await upload('rows.csv', [header, ...rows].join('\n'))
    return body.columns.slice(1).map(({ proposal, values }) => [proposal, values?.length])
  }
  const intent = (i: number) => `intent ${i % 77}`
  expect(await columnsOf('text,intent', intent)).toEqual([[labels, 77]])
  expect(await columnsOf('text,intent,tone', (i) => `${intent(i)},${i % 2 ? 'calm' : 'angry'}`)).toEqual([
    [terms, 77],
    [labels, 2],
  ])
})

test('an empty list and a list with one value are no question', async () => {
  const { upload } = importer(fixture.server, await fixture.server.createDataset())
  const rows = Array.from({ length: ROWS }, (_, i) => JSON.stringify({ text: `A text ${i}`, none: [], one: ['web'] }))
  const { body } = await upload('rows.jsonl', rows.join('\n'))
  expect(body.columns.map(({ proposal }) => proposal)).toEqual([{ role: 'field', type: 'text' }, null, terms])
})

test('a file without texts gets a field: nested values as JSON, or short texts that recur', async () => {
  const fieldIn = async (rows: readonly object[]) => {
    const { upload } = importer(fixture.server, await fixture.server.createDataset())
    const { body } = await upload('rows.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'))
    return body.columns.flatMap(({ name, proposal }) => (proposal?.role === 'field' ? [[name, proposal.type]] : []))
  }
  const turns = Array.from({ length: 4 }, (_, i) => ({ id: `t${i}`, contents: [{ parts: [{ text: `Turn ${i}` }] }] }))
  expect(await fieldIn(turns)).toEqual([['contents', 'text']])
  expect(await fieldIn(Array.from({ length: 8 }, (_, i) => ({ query: ['yes', 'no'][i % 2] })))).toEqual([['query', 'text']])
})

test('a table of dates and addresses alone gets a field', async () => {
  const { upload } = importer(fixture.server, await fixture.server.createDataset())
  const { body } = await upload('rows.csv', 'day,link\n2024-01-02,https://example.org/1\n2024-01-03,https://example.org/2')
  expect(body.columns.map(({ proposal }) => proposal)).toEqual([{ role: 'field', type: 'text' }, terms])
})
