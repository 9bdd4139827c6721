import { expect, test } from 'vitest'
import { converter } from './foreign/convert.ts'
import { laterColumns } from './rows/later-columns.ts'
import { importer, same, setUpImports, spec } from './testing/fixtures.ts'

const fixture = setUpImports()
/** More rows than the preview reads. */
const ROWS = 3000
const text = (i: number) => `A text with the number ${i}`

const importRows = async (rows: readonly object[], fields = same('text')) => {
  const dataset = await fixture.server.createDataset(spec)
  const imports = importer(fixture.server, dataset)
  const { body: file } = await imports.upload('rows.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'))
  const { body: job } = await imports.start(file.id, { fields, metadata: [], suggestions: [] })
  await imports.finish()
  return { columns: file.columns.map(({ name }) => name), job: await imports.job(job.id) }
}

test('an import lists the columns that first appear after the preview', async () => {
  const rows = Array.from({ length: ROWS }, (_, i) => ({
    text: text(i),
    unused: 'shown in the preview',
    ...(i === ROWS - 2 && { note: 'late', empty: null }),
    ...(i === ROWS - 1 && { source: 'late too', note: 'late' }),
  }))
  const { columns, job } = await importRows(rows)
  expect(columns).toEqual(['text', 'unused'])
  expect(job).toMatchObject({ status: 'finished' })
  expect(job.import).toEqual({ rows: ROWS, created: ROWS, updated: 0, failed: 0, later_columns: ['note', 'source'] })
})

test('a late column that the mapping reads is imported', async () => {
  const rows = Array.from({ length: ROWS }, (_, i) => (i === ROWS - 1 ? { text: text(i), note: 'late' } : { text: text(i) }))
  const { job } = await importRows(rows, [...same('text'), { source: 'note', target: 'talk' }])
  expect(job.import).not.toHaveProperty('later_columns')
})

test('parts that no row of the preview had are late columns of the format of another program', () => {
  const messages = [
    { role: 'user', content: text(1) },
    { role: 'assistant', content: 'An answer' },
  ]
  const columns = [{ part: 'fields', name: 'messages', column: 'messages' }] as const
  const row = {
    row: 1,
    line: 1,
    values: new Map<string, unknown>([
      ['messages', messages],
      ['origin', 'late'],
    ]),
  }
  const converted = converter({ as: 'openai', columns })(row)
  const layout = {
    format: 'jsonl',
    delimiter: ',',
    header: [],
    first: { offset: 0, row: 1, line: 1 },
    columns: ['messages'],
  } as const
  const mapping = { fields: same('messages'), metadata: [], suggestions: [] }
  expect(laterColumns([converted], layout, mapping)).toEqual(['origin'])
})
