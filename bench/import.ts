/**
 * Measures the import of records from files and, for comparison, sending the same records over HTTP: the speed, the server's
 * processor time, and the peak memory. On a busy machine, compare processor times.
 *
 * npx node bench/import.ts [--rows 20000] [--engine sqlite] [--words 25] [--only bulk,csv,jsonl,parquet,tasks,answers]
 *
 * With 200 words, a row takes up a kilobyte. `tasks` is an export from Label Studio with the annotations of two people, which are
 * imported as suggestions. In `answers`, the same annotations are imported as the answers of two users.
 *
 * Prints a table, then the same figures as one line of JSON. Exits with 1 if rows are missing.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { tableFile } from '@postil/server/features/exports/typed/table-file.ts'
import { type Engine, emptyPlace, OWNER } from '../e2e/harness/server.ts'
import { prepare } from '../scripts/prepare.mjs'
import { type BenchServer, startBenchServer } from './lib/bench-server.ts'
import { peakDuring } from './lib/peak.ts'
import { createPlainDataset, rowAt } from './lib/plain-rows.ts'
import { startMeasuredPostgres } from './lib/postgres.ts'
import { processorTime } from './lib/processor-time.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '20000' },
    engine: { type: 'string', default: 'sqlite' },
    words: { type: 'string', default: '25' },
    only: { type: 'string', default: 'bulk,csv,jsonl,parquet,tasks,answers' },
  },
})
const rows = Number(values.rows)
const engine = values.engine as Engine
const words = Number(values.words)
const only = values.only.split(',')
const BATCH = 500
async function* csv(): AsyncGenerator<string> {
  yield 'id,text,label,size\n'
  for (let from = 0; from < rows; from += 1000) {
    const some = Array.from({ length: Math.min(1000, rows - from) }, (_, i) => rowAt(from + i, words))
    yield some.map(({ id, text, label, size }) => `${id},"${text}",${label},${size}\n`).join('')
  }
}

async function* jsonl(): AsyncGenerator<string> {
  for (let from = 0; from < rows; from += 1000) {
    const some = Array.from({ length: Math.min(1000, rows - from) }, (_, i) => rowAt(from + i, words))
    yield some.map(({ id, text, label, size }) => `${JSON.stringify({ id, text, label, size })}\n`).join('')
  }
}

const PEOPLE = ['ann', 'ben']

/** A file as Label Studio exports it. */
async function* tasks(): AsyncGenerator<string> {
  yield '['
  for (let from = 0; from < rows; from += 1000) {
    const some = Array.from({ length: Math.min(1000, rows - from) }, (_, i) => {
      const { id, text, label, size } = rowAt(from + i, words)
      const result = [
        { id: 'r', type: 'choices', from_name: 'label', to_name: 'text', origin: 'manual', value: { choices: [label] } },
      ]
      const annotations = PEOPLE.map((name, no) => ({
        id: no,
        completed_by: { email: `${name}@example.org` },
        result,
        was_cancelled: false,
        lead_time: 1.5,
      }))
      return { id, annotations, predictions: [], drafts: [], data: { text }, meta: { size }, project: 1, inner_id: from + i }
    })
    yield `${from === 0 ? '' : ','}${some.map((task) => JSON.stringify(task)).join(',\n')}`
  }
  yield ']'
}

const parquet = () => {
  async function* pages() {
    for (let from = 0; from < rows; from += 1000) {
      yield Array.from({ length: Math.min(1000, rows - from) }, (_, i) => {
        const { id, text, label, size } = rowAt(from + i, words)
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

type Line = {
  readonly what: string
  readonly rows_per_second: number
  readonly processor_s: number
  readonly upload_ms: number
  readonly peak_mb: number
}
/** `ms`: milliseconds, excluding the upload. `processor`: seconds of processor time, excluding the upload. */
type Took = { readonly ms: number; readonly processor: number; readonly upload: number }
const line = (what: string, { ms, processor, upload }: Took, peak: number): Line => ({
  what,
  rows_per_second: Math.round((rows / ms) * 1000),
  processor_s: Math.round(processor * 100) / 100,
  upload_ms: Math.round(upload),
  peak_mb: Math.round(peak / 1e6),
})

const bulk = async (server: BenchServer): Promise<Line> => {
  const { id, question } = await createPlainDataset(server.owner, 'bulk')
  const send = async (): Promise<Took> => {
    let ms = 0
    const before = processorTime(server.pid)
    for (let from = 0; from < rows; from += BATCH) {
      const items = Array.from({ length: Math.min(BATCH, rows - from) }, (_, i) => {
        const row = rowAt(from + i, words)
        const suggestions = [{ question_id: question, value: row.label }]
        return { external_id: row.id, fields: { text: row.text }, metadata: { size: row.size }, suggestions }
      })
      ms += (await server.owner.send('PUT', `/datasets/${id}/records/bulk`, Buffer.from(JSON.stringify({ items })))).ms
    }
    return { ms, processor: processorTime(server.pid) - before, upload: 0 }
  }
  const { result, peak } = await peakDuring(server, send())
  return line('bulk upsert over HTTP', result, peak)
}

type FileKind = 'csv' | 'jsonl' | 'parquet' | 'tasks'

/** Creates users. The annotations in the file are imported as answers of these users. */
const answerers = async (server: BenchServer): Promise<readonly object[]> => {
  const users: Named[] = []
  for (const username of PEOPLE) {
    const body = { username, first_name: username, role: 'owner', password: 'a-long-password' }
    users.push((await server.owner.call('POST', '/users', body)).body as Named)
  }
  return users.map(({ id }, i) => ({ name: `${PEOPLE[i]}@example.org`, as: 'answers', user_id: id }))
}

const imported = async (server: BenchServer, kind: FileKind, path: string, hasAnswers = false): Promise<Line> => {
  const what = hasAnswers ? 'answers' : kind
  const format = kind === 'tasks' ? 'json' : kind
  const { id } = await createPlainDataset(server.owner, what)
  const annotators = hasAnswers ? await answerers(server) : null
  const bring = async (): Promise<Took> => {
    const began = performance.now()
    const answer = await fetch(`${server.url}/api/v1/datasets/${id}/imports/files?name=rows.${format}`, {
      method: 'POST',
      headers: { 'x-argilla-api-key': OWNER.apiKey, 'content-length': String((await stat(path)).size) },
      body: Readable.toWeb(createReadStream(path)) as ReadableStream,
      duplex: 'half',
    } as RequestInit)
    const file = (await answer.json()) as Named & { readonly mapping: unknown }
    if (answer.status !== 201) throw new Error(`the upload returned ${answer.status}: ${JSON.stringify(file)}`)
    const upload = performance.now() - began
    const mapping = {
      fields: [{ source: 'text', target: 'text' }],
      suggestions: [{ source: 'label', target: 'label' }],
      metadata: [{ source: 'size', target: 'size' }],
      external_id: 'id',
      annotators,
    }
    const start = performance.now()
    const before = processorTime(server.pid)
    const job = (await server.owner.call('POST', `/datasets/${id}/imports/files/${file.id}/start`, { mapping })).body as Named
    for (;;) {
      const found = (await server.owner.call('GET', `/jobs/${job.id}`)).body as { status: string; import: { created: number } }
      if (found.status === 'finished' && found.import.created === rows)
        return { upload, ms: performance.now() - start, processor: processorTime(server.pid) - before }
      if (found.status === 'finished' || found.status === 'failed')
        throw new Error(`the import ended with ${JSON.stringify(found)}`)
      await new Promise((done) => setTimeout(done, 50))
    }
  }
  const { result, peak } = await peakDuring(server, bring())
  return line(`import of ${what}`, result, peak)
}

const measure = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'postil-bench-import-'))
  const place = await emptyPlace(engine)
  try {
    const pathOf = (kind: FileKind): string => join(folder, `rows.${kind}`)
    for (const [kind, make] of [
      ['csv', csv],
      ['jsonl', jsonl],
      ['parquet', parquet],
      ['tasks', tasks],
    ] as const) {
      const isNeeded = only.includes(kind) || (kind === 'tasks' && only.includes('answers'))
      if (isNeeded) await pipeline(Readable.from(make()), createWriteStream(pathOf(kind)))
    }
    const lines: Line[] = []
    // Each method gets its own server, so that the memory that one method used does not affect the next.
    const runs = {
      bulk,
      csv: (server: BenchServer) => imported(server, 'csv', pathOf('csv')),
      jsonl: (server: BenchServer) => imported(server, 'jsonl', pathOf('jsonl')),
      parquet: (server: BenchServer) => imported(server, 'parquet', pathOf('parquet')),
      tasks: (server: BenchServer) => imported(server, 'tasks', pathOf('tasks')),
      answers: (server: BenchServer) => imported(server, 'tasks', pathOf('tasks'), true),
    }
    for (const [name, run] of Object.entries(runs)) {
      if (!only.includes(name)) continue
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
const postgres = engine === 'postgres' ? await startMeasuredPostgres('bench-import') : null
if (postgres !== null) process.env['POSTIL_TEST_POSTGRES_URL'] = postgres.url
try {
  await measure()
} finally {
  await postgres?.stop()
}
