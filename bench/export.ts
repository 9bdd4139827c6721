/**
 * Measures the speed and the peak memory usage of exporting all records of a dataset to a file.
 *
 * npx node bench/export.ts [--rows 100000] [--engine postgres] [--formats jsonl,csv,parquet]
 *
 * Prints a table, then the same figures as one line of JSON. Exits with 1 if a file has the wrong number of records.
 */
import { parseArgs } from 'node:util'
import { type Engine, emptyPlace, OWNER } from '../e2e/harness/server.ts'
import { prepare } from '../scripts/prepare.mjs'
import { type BenchServer, startBenchServer } from './lib/bench-server.ts'
import { peakDuring } from './lib/peak.ts'
import { createPlainDataset, rowAt } from './lib/plain-rows.ts'
import { startMeasuredPostgres } from './lib/postgres.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    engine: { type: 'string', default: 'postgres' },
    formats: { type: 'string', default: 'jsonl,csv,parquet' },
  },
})
const rows = Number(values.rows)
const engine = values.engine as Engine
const BATCH = 500

const fill = async ({ owner }: BenchServer, id: string, question: string): Promise<void> => {
  for (let from = 0; from < rows; from += BATCH) {
    const items = Array.from({ length: Math.min(BATCH, rows - from) }, (_, i) => {
      const { id: external_id, text, label, size } = rowAt(from + i)
      return { external_id, fields: { text }, metadata: { size }, suggestions: [{ question_id: question, value: label }] }
    })
    await owner.send('PUT', `/datasets/${id}/records/bulk`, Buffer.from(JSON.stringify({ items })))
  }
}

type Line = {
  readonly format: string
  readonly records_per_second: number
  readonly mb: number
  readonly first_byte_ms: number
  readonly peak_mb: number
}

const LINE_FEED = 0x0a
/** Reads a file as fast as it arrives and counts its lines. In line-based formats, each line is a record. */
const receive = async (server: BenchServer, id: string, format: string) => {
  const began = performance.now()
  const answer = await fetch(`${server.url}/api/v1/datasets/${id}/records/download?format=${format}`, {
    headers: { 'x-argilla-api-key': OWNER.apiKey },
  })
  if (answer.status !== 200 || answer.body === null) throw new Error(`the download returned ${answer.status}`)
  let [bytes, lines, first] = [0, 0, 0]
  for await (const chunk of answer.body) {
    if (first === 0) first = performance.now() - began
    bytes += chunk.length
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1
  }
  return { ms: performance.now() - began, bytes, lines, first }
}

const expected: { readonly [format: string]: number } = { jsonl: rows, csv: rows + 1 }

const measure = async (): Promise<void> => {
  const place = await emptyPlace(engine)
  try {
    const filling = await startBenchServer(engine, place)
    const { id, question } = await createPlainDataset(filling.owner, 'out')
    await fill(filling, id, question)
    filling.owner.close()
    await filling.stop()
    const figures: Line[] = []
    for (const format of values.formats.split(',')) {
      // Each format gets its own server, so that the memory that one format used does not affect the next.
      const server = await startBenchServer(engine, place)
      const { result, peak } = await peakDuring(server, receive(server, id, format))
      if (result.lines !== (expected[format] ?? result.lines)) throw new Error(`${format} has ${result.lines} lines`)
      figures.push({
        format,
        records_per_second: Math.round((rows / result.ms) * 1000),
        mb: Math.round(result.bytes / 1e6),
        first_byte_ms: Math.round(result.first),
        peak_mb: Math.round(peak / 1e6),
      })
      server.owner.close()
      await server.stop()
    }
    console.table(figures)
    console.log(JSON.stringify({ engine, rows, figures }))
  } finally {
    await place.drop()
  }
}

await prepare()
const postgres = engine === 'postgres' ? await startMeasuredPostgres('bench-export') : null
if (postgres !== null) process.env['POSTIL_TEST_POSTGRES_URL'] = postgres.url
try {
  await measure()
} finally {
  await postgres?.stop()
}
