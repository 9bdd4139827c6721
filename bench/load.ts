/**
 * `npm run load`: simulates a large team for a while. Each annotator takes records from the queue, thinks and answers.
 *
 * npm run load -- [--engine postgres] [--processes 4] [--annotators 500] [--minutes 10] [--think 5] [--target 1] [--records N]
 * [--soak] [--database URL]
 *
 * `--think` is the mean number of seconds between a record and its answer, exponentially distributed. `--target` is the number of
 * answers that each record needs. `--soak` runs half the team for an hour. `--database` is the URL of an empty PostgreSQL
 * database to use, for example on a cluster. Prints a line per minute, then the figures, then the same figures as one line of
 * JSON. Saves the figures for the report, except with `--database`. Exits with 1 if a request failed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Engine, Place } from '../e2e/harness/server.ts'
import { emptyPlace } from '../e2e/harness/server.ts'
import { prepare } from '../scripts/prepare.mjs'
import type { DataRecord } from './data/make-records.ts'
import { dataset } from './data/packages.ts'
import type { BenchServer } from './lib/bench-server.ts'
import { createAnnotator, createDataset, startBenchServer, toWireValues } from './lib/bench-server.ts'
import type { Client } from './lib/http.ts'
import { createMeter } from './lib/meter.ts'
import { startMeasuredPostgres } from './lib/postgres.ts'
import { simulateAnnotator } from './lib/simulated-annotator.ts'
import { beginTeamRun } from './lib/team-run-store.ts'
import { sendAll } from './measure/bulk.ts'

const { values: flags } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    processes: { type: 'string', default: '4' },
    annotators: { type: 'string' },
    minutes: { type: 'string' },
    think: { type: 'string', default: '5' },
    target: { type: 'string', default: '1' },
    records: { type: 'string' },
    soak: { type: 'boolean', default: false },
    database: { type: 'string' },
  },
})
const engine = flags.engine as Engine
// Only one process can use the embedded database.
const processes = engine === 'sqlite' ? 1 : Number(flags.processes)
const annotators = Number(flags.annotators ?? (flags.soak ? 250 : 500))
const minutes = Number(flags.minutes ?? (flags.soak ? 60 : 10))
const think = Number(flags.think)
const target = Number(flags.target)
/** Enough records that nobody runs out of work, with a reserve of 10 percent. */
const records = Number(flags.records ?? Math.ceil(((annotators * minutes * 60) / think / target) * 1.1) + annotators * 10)

const firstOf = async (all: AsyncIterable<DataRecord>): Promise<DataRecord> => {
  for await (const record of all) return record
  throw new Error('the dataset is empty')
}

/** An existing database, which stays after the run. */
const placeAt = (databaseUrl: string): Place => {
  const dataDir = mkdtempSync(join(tmpdir(), 'postil load '))
  return { dataDir, databaseUrl, drop: async () => rmSync(dataDir, { recursive: true, force: true }) }
}

await prepare()
const { database } = flags
const storeFigures = database === undefined ? beginTeamRun(flags.soak ? 'soak' : 'load', engine) : () => undefined
const postgres = engine === 'postgres' && database === undefined ? await startMeasuredPostgres('load') : null
if (postgres) process.env.POSTIL_TEST_POSTGRES_URL = postgres.url
const place = database === undefined ? await emptyPlace(engine) : placeAt(database)
const folders = Array.from({ length: processes - 1 }, () => mkdtempSync(join(tmpdir(), 'postil load ')))
const servers: BenchServer[] = []
try {
  const pool = { POSTIL_DATABASE_POSTGRESQL_POOL_SIZE: '10', POSTIL_DATABASE_POSTGRESQL_MAX_OVERFLOW: '0' }
  for (const folder of [null, ...folders])
    servers.push(await startBenchServer(engine, place, { ...pool, ...(folder && { POSTIL_DATA_DIR: folder }) }))
  const [first] = servers as [BenchServer]
  const data = await dataset(records)
  const made = await createDataset(first.owner, data.settings, 'load', target)
  const { ms } = await sendAll(first, made, data)
  console.log(
    `Loaded ${records} records in ${Math.round(ms / 1000)} s. ${annotators} annotators now work on ${processes} processes for ${minutes} min.`,
  )
  const people: Client[] = []
  for (let i = 0; i < annotators; i++)
    people.push(await createAnnotator(first, made, `annotator-${i}`, servers[i % processes]?.url))
  const meter = createMeter(servers)
  const values = toWireValues(await firstOf(data.records()))
  const until = performance.now() + minutes * 60_000
  const working = Promise.all(people.map((client) => simulateAnnotator(client, made.id, { values, think, until }, meter)))
  for (let minute = 1; performance.now() < until; minute++) {
    await pause(Math.min(60_000, Math.max(0, until - performance.now())))
    console.log(await meter.minute(minute))
  }
  await working
  const figures = { engine, processes, annotators, minutes, think, target, records, cores: cpus().length, ...meter.figures() }
  for (const [name, value] of Object.entries(figures))
    console.log(`${name.padEnd(32)} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
  console.log(JSON.stringify(figures))
  storeFigures(figures)
  process.exitCode = figures.errors > 0 ? 1 : 0
  for (const client of people) client.close()
} finally {
  await Promise.all(servers.map((server) => server.stop()))
  await place.drop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  await postgres?.stop()
}
