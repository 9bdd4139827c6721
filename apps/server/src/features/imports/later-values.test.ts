import { describe, expect, it, test } from 'vitest'
import { parquetOf } from '#platform/parquet/testing/parquet.ts'
import { importer, setUpImports } from './testing/given.ts'

const ground = setUpImports()
const ROWS = 6000
const labels = ['sport', 'politics', 'rare']
/** Row by row its label, as a file has them that was sorted by it. */
const sorted = Array.from({ length: ROWS }, (_, i) => labels[i < ROWS / 2 ? 0 : i < ROWS - 1 ? 1 : 2] ?? '')
const text = (i: number) => `What is said of number ${i}, ${'at some length '.repeat(20)}`

const columnsOf = async (name: string, content: string | Uint8Array) => {
  const { upload } = importer(ground.server, await ground.server.createDataset())
  const { status, body } = await upload(name, content)
  expect(status).toBe(201)
  return new Map(body.columns.map((column) => [column.name, column]))
}
const asLabels = { proposal: { role: 'suggestion', type: 'label_selection' }, values: labels }

describe('a file that is sorted by its labels', () => {
  test('as a table', async () => {
    const columns = await columnsOf(
      'sorted.csv',
      `id,text,topic\n${sorted.map((topic, i) => `${i},"${text(i)}",${topic}\n`).join('')}`,
    )
    expect(columns.get('topic')).toMatchObject(asLabels)
    expect(columns.get('id')?.proposal?.role).toBe('external_id')
    expect(columns.get('text')?.proposal).toEqual({ role: 'field', type: 'text' })
  })
  test('as lines, with lists', async () => {
    const lines = sorted.map((topic, i) => JSON.stringify({ text: text(i), topic, tags: [topic] })).join('\n')
    const columns = await columnsOf('sorted.jsonl', lines)
    expect(columns.get('topic')).toMatchObject(asLabels)
    expect(columns.get('tags')).toMatchObject({
      proposal: { role: 'suggestion', type: 'multi_label_selection' },
      values: labels,
    })
  })
  test('as Parquet', async () => {
    const columns = await columnsOf(
      'sorted.parquet',
      parquetOf({ text: ['text', sorted.map((_, i) => text(i))], topic: ['text', sorted] }),
    )
    expect(columns.get('topic')).toMatchObject(asLabels)
  })
})

it('what only looked like labels or a rating in the first rows is none', async () => {
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `${text(i)},${i < 3000 ? i % 2 : `late ${i % 30}`},${i < 3000 ? i % 5 : 70}\n`,
  )
  const columns = await columnsOf('late.csv', `text,topic,number\n${rows.join('')}`.replaceAll(/, at/g, ' at'))
  expect(columns.get('topic')?.proposal).toEqual({ role: 'metadata', type: 'terms' })
  expect(columns.get('number')?.proposal).toEqual({ role: 'metadata', type: 'integer' })
})

it('what has few different values in the first rows, and then more than labels may be, is no label', async () => {
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
