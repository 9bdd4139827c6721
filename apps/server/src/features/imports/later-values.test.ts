import { describe, expect, it, test } from 'vitest'
import { parquetOf } from '#platform/parquet/testing/parquet.ts'
import { importer, setUpImports } from './testing/fixtures.ts'

const fixture = setUpImports()
const ROWS = 6000
const labels = ['sport', 'politics', 'rare']
/** The label of each row, as in a file sorted by label. */
const sorted = Array.from({ length: ROWS }, (_, i) => labels[i < ROWS / 2 ? 0 : i < ROWS - 1 ? 1 : 2] ?? '')
const text = (i: number) => `What is said of number ${i}, ${'at some length '.repeat(20)}`

const columnsOf = async (name: string, content: string | Uint8Array) => {
  const { upload } = importer(fixture.server, await fixture.server.createDataset())
  const { status, body } = await upload(name, content)
  expect(status).toBe(201)
  return new Map(body.columns.map((column) => [column.name, column]))
}
const asLabels = { proposal: { role: 'suggestion', type: 'label_selection' }, values: labels }

describe('a file sorted by label', () => {
  test('is read as a table', async () => {
    const columns = await columnsOf(
      'sorted.csv',
      `id,text,topic\n${sorted.map((topic, i) => `${i},"${text(i)}",${topic}\n`).join('')}`,
    )
    expect(columns.get('topic')).toMatchObject(asLabels)
    expect(columns.get('id')?.proposal?.role).toBe('external_id')
    expect(columns.get('text')?.proposal).toEqual({ role: 'field', type: 'text' })
  })
  test('is read as JSON Lines, with lists', async () => {
    const lines = sorted.map((topic, i) => JSON.stringify({ text: text(i), topic, tags: [topic] })).join('\n')
    const columns = await columnsOf('sorted.jsonl', lines)
    expect(columns.get('topic')).toMatchObject(asLabels)
    expect(columns.get('tags')).toMatchObject({
      proposal: { role: 'suggestion', type: 'multi_label_selection' },
      values: labels,
    })
  })
  test('is read as Parquet', async () => {
    const columns = await columnsOf(
      'sorted.parquet',
      parquetOf({ text: ['text', sorted.map((_, i) => text(i))], topic: ['text', sorted] }),
    )
    expect(columns.get('topic')).toMatchObject(asLabels)
  })
})

it('a column that looks like labels or a rating only in its first rows gets neither role', async () => {
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `${text(i)},${i < 3000 ? i % 2 : `late ${i % 30}`},${i < 3000 ? i % 5 : 170},${i % 2 ? 'calm' : 'angry'}\n`,
  )
  const columns = await columnsOf('late.csv', `text,topic,number,tone\n${rows.join('')}`.replaceAll(/, at/g, ' at'))
  expect(columns.get('topic')?.proposal).toEqual({ role: 'metadata', type: 'terms' })
  expect(columns.get('number')?.proposal).toEqual({ role: 'metadata', type: 'integer' })
})

it('a column with few values in its first rows and too many later gets no label role', async () => {
  const lines = Array.from({ length: ROWS }, (_, i) =>
    JSON.stringify({
      text: text(i),
      topic: i < 3000 ? `early ${i % 3}` : `late ${i}`,
      tags: [i < 3000 ? `early ${i % 3}` : `late ${i}`],
      note: i < 3000 ? `brief ${i % 3}` : text(i),
      mood: i < 3000 ? i % 5 : i,
    }),
  )
  const columns = await columnsOf('many.jsonl', lines.join('\n'))
  const judged = ['topic', 'tags', 'note', 'mood'].map((name) => [columns.get(name)?.proposal, columns.get(name)?.values])
  expect(judged).toEqual([
    [{ role: 'metadata', type: 'terms' }, null],
    [{ role: 'metadata', type: 'terms' }, null],
    [{ role: 'field', type: 'text' }, null],
    [{ role: 'metadata', type: 'integer' }, null],
  ])
})
