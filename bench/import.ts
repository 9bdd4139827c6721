/**
 * How fast records come out of files, beside sending the same records over HTTP, and what that takes in memory.
 *
 *   npx node bench/import.ts [--rows 20000] [--engine sqlite]
 *
 * Prints a table, then one line of JSON with the same figures; ends with 1 when rows are missing.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { tableFile } from '@postil/server/features/hub/table-file.ts'
import { type Engine, emptyPlace, OWNER } from '../e2e/harness/server.ts'
import { startPostgres } from '../scripts/postgres.mjs'
import { prepare } from '../scripts/prepare.mjs'
import { type BenchServer, startBenchServer } from './lib/world.ts'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '20000' }, engine: { type: 'string', default: 'sqlite' } },
})
const rows = Number(values.rows)
const engine = values.engine as Engine
const BATCH = 500
const LABELS = ['good', 'bad', 'unclear'] as const
const WORDS = 'the parcel came late and the box was open but nothing inside it had been broken so we kept it after all'.split(' ')

type Row = { readonly id: string; readonly text: string; readonly label: string; readonly size: number }
/** A row that is made of its number, so that every way of sending has the same rows. */
const rowAt = (no: number): Row => {
  const text = Array.from({ length: 25 }, (_, i) => WORDS[(no * 7 + i * (1 + (no % 5))) % WORDS.length]).join(' ')
  return { id: `row-${no}`, text: `${text} ${no}`, label: LABELS[no % LABELS.length] ?? '', size: no % 10_000 }
}

async function* csv(): AsyncGenerator<string> {
  yield 'id,text,label,size\n'
  for (let from = 0; from < rows; from += 1000) {
    const some = Array.from({ length: Math.min(1000, rows - from) }, (_, i) => rowAt(from + i))
    yield some.map(({ id, text, label, size }) => `${id},"${text}",${label},${size}\n`).join('')
  }
}

const parquet = () => {
  async function* pages() {
    for (let from = 0; from < rows; from += 1000) {
      yield Array.from({ length: Math.min(1000, rows - from) }, (_, i) => {
        const { id, text, label, size } = rowAt(from + i)
        return [id, text, label, size]
      })
    }
  }
  const columns = [
    { name: 'id', type: { kind: 'text' } },
    { name: 'text', type: { kind: 'text' } },
    { name: 'label', type: { kind: 'text' } },
    { name: 'size', type: { kind: 'integer' } },
  ] as const
  return tableFile(columns, pages())
}

type Named = { readonly id: string }

const givenDataset = async ({ owner }: BenchServer, name: string) => {
  const post = async (path: string, body: unknown) => (await owner.call('POST', path, body)).body as Named
  const { items } = (await owner.call('GET', '/me/workspaces')).body as { items: Named[] }
  const { id } = await post('/datasets', {
    name,
    workspace_id: items[0]?.id,
    distribution: { strategy: 'overlap', min_submitted: 1 },
  })
  await post(`/datasets/${id}/fields`, { name: 'text', title: 'Text', required: true, settings: { type: 'text' } })
  const options = LABELS.map((value) => ({ value, text: value }))
  const settings = { type: 'label_selection', options }
  const question = await post(`/datasets/${id}/questions`, { name: 'label', title: 'Label', required: true, settings })
  await post(`/datasets/${id}/metadata-properties`, { name: 'size', title: 'Size', settings: { type: 'integer' } })
  await owner.call('PUT', `/datasets/${id}/publish`)
  return { id, question: question.id }
}

/** The most memory that the server holds while something goes on. */
const peakDuring = async <T>(server: BenchServer, work: Promise<T>): Promise<{ readonly result: T; readonly peak: number }> => {
  let peak = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, (await server.look()).rss)
      await new Promise((done) => setTimeout(done, 200))
    }
  })()
  try {
    const result = await work
    return { result, peak }
  } finally {
    isOver = true
    await watching
  }
}

type Line = { readonly what: string; readonly rows_per_second: number; readonly upload_ms: number; readonly peak_mb: number }
const line = (what: string, ms: number, upload: number, peak: number): Line => ({
  what,
  rows_per_second: Math.round((rows / ms) * 1000),
  upload_ms: Math.round(upload),
  peak_mb: Math.round(peak / 1e6),
})

const bulk = async (server: BenchServer): Promise<Line> => {
  const { id, question } = await givenDataset(server, 'bulk')
  const send = async (): Promise<number> => {
    let ms = 0
    for (let from = 0; from < rows; from += BATCH) {
      const items = Array.from({ length: Math.min(BATCH, rows - from) }, (_, i) => {
        const row = rowAt(from + i)
        const suggestions = [{ question_id: question, value: row.label }]
        return { external_id: row.id, fields: { text: row.text }, metadata: { size: row.size }, suggestions }
      })
      ms += (await server.owner.send('PUT', `/datasets/${id}/records/bulk`, Buffer.from(JSON.stringify({ items })))).ms
    }
    return ms
  }
  const { result, peak } = await peakDuring(server, send())
  return line('bulk upsert over HTTP', result, 0, peak)
}

const imported = async (server: BenchServer, format: 'csv' | 'parquet', path: string): Promise<Line> => {
  const { id } = await givenDataset(server, format)
  const bring = async () => {
    const began = performance.now()
    const answer = await fetch(`${server.url}/api/v1/datasets/${id}/imports/files?name=rows.${format}`, {
      method: 'POST',
      headers: { 'x-argilla-api-key': OWNER.apiKey, 'content-length': String((await stat(path)).size) },
      body: Readable.toWeb(createReadStream(path)) as ReadableStream,
      duplex: 'half',
    } as RequestInit)
    const file = (await answer.json()) as Named & { readonly mapping: unknown }
    if (answer.status !== 201) throw new Error(`the upload answered ${answer.status}: ${JSON.stringify(file)}`)
    const upload = performance.now() - began
    const mapping = {
      fields: [{ source: 'text', target: 'text' }],
      suggestions: [{ source: 'label', target: 'label' }],
      metadata: [{ source: 'size', target: 'size' }],
      external_id: 'id',
    }
    const start = performance.now()
    const job = (await server.owner.call('POST', `/datasets/${id}/imports/files/${file.id}/start`, { mapping })).body as Named
    for (;;) {
      const found = (await server.owner.call('GET', `/jobs/${job.id}`)).body as { status: string; import: { created: number } }
      if (found.status === 'finished' && found.import.created === rows) return { upload, ms: performance.now() - start }
      if (found.status === 'finished' || found.status === 'failed')
        throw new Error(`the import ended as ${JSON.stringify(found)}`)
      await new Promise((done) => setTimeout(done, 50))
    }
  }
  const { result, peak } = await peakDuring(server, bring())
  return line(`import of ${format}`, result.ms, result.upload, peak)
}

const measure = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'postil-bench-import-'))
  const place = await emptyPlace(engine)
  try {
    const paths = { csv: join(folder, 'rows.csv'), parquet: join(folder, 'rows.parquet') }
    await pipeline(Readable.from(csv()), createWriteStream(paths.csv))
    await pipeline(Readable.from(parquet()), createWriteStream(paths.parquet))
    const lines: Line[] = []
    // NOTE: a server of its own for each, so that none finds the memory of another
    for (const run of [
      bulk,
      (server: BenchServer) => imported(server, 'csv', paths.csv),
      (server: BenchServer) => imported(server, 'parquet', paths.parquet),
    ]) {
      const server = await startBenchServer(engine, place)
      try {
        lines.push(await run(server))
      } finally {
        server.owner.close()
        await server.stop()
      }
    }
    const base = lines[0]?.rows_per_second ?? 1
    const figures = lines.map((one) => ({ ...one, ratio: Math.round((one.rows_per_second / base) * 100) / 100 }))
    console.table(figures)
    console.log(JSON.stringify({ engine, rows, figures }))
  } finally {
    await place.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

await prepare()
const postgres = engine === 'postgres' ? await startPostgres({ name: `bench-import-${process.pid}`, durable: true }) : null
if (postgres !== null) process.env['POSTIL_TEST_POSTGRES_URL'] = postgres.url
try {
  await measure()
} finally {
  await postgres?.stop()
}
