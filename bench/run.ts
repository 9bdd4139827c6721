/**
 * `npm run bench`: compares the product with the bare database driver, on real data and both engines.
 *
 * npm run bench -- [--engines sqlite,postgres] [--sizes 10000,100000] [--seconds 20] [--without sdk,starts,deletion,agreement,large-records,records-page,review,models] [--report]
 * npm run bench -- --only-bulk [--engines …] [--sizes …]
 * npm run bench -- --report-only
 *
 * Prints a table, then the same figures as one line of JSON, and saves them in .cache/bench, one file per engine and size.
 * `--report` then copies them to docs/measurements and writes docs/measurements.md from all files there, so different sizes can
 * be measured at different times. `--report-only` only does this last step. `--only-bulk` measures only the loading and saves
 * nothing.
 */
import { parseArgs } from 'node:util'
import type { Engine, Place } from '../e2e/harness/server.ts'
import { emptyPlace, OWNER } from '../e2e/harness/server.ts'
import { prepare } from '../scripts/prepare.mjs'
import type { Bare } from './bare/bare.ts'
import { barePostgres } from './bare/postgres.ts'
import { bareSqlite } from './bare/sqlite.ts'
import type { DataRecord } from './data/make-records.ts'
import type { DataSet } from './data/packages.ts'
import { dataset } from './data/packages.ts'
import { createAnnotator, createDataset, startBenchServer, toWireValues } from './lib/bench-server.ts'
import { growthOf } from './lib/growth.ts'
import { historySwitch } from './lib/history-switch.ts'
import { Client } from './lib/http.ts'
import { startMeasuredPostgres } from './lib/postgres.ts'
import { commitNow, machineNow, storeRun } from './lib/run-store.ts'
import { BULK } from './lib/sizing.ts'
import type { Line } from './lib/stats.ts'
import { tableOf } from './lib/stats.ts'
import { agreementLines } from './measure/agreement.ts'
import { annotatorLines, submitLine } from './measure/answers.ts'
import { bulkLine, concurrentLine, sendConcurrently, sendWithBare } from './measure/bulk.ts'
import { heavySearchLines } from './measure/heavy-searches.ts'
import { historyLine } from './measure/history.ts'
import { deletionLines, largeLines } from './measure/large.ts'
import { largeHistoryLines } from './measure/large-history.ts'
import { largeRecordLines } from './measure/large-records.ts'
import { modelRunLine } from './measure/model-run.ts'
import { readLines, settledSimilarityLine } from './measure/reads.ts'
import { recordAgreementLine } from './measure/record-agreement.ts'
import { recordsPageLines } from './measure/records-page.ts'
import { reviewQueueLine } from './measure/review-queue.ts'
import { sdkLines } from './measure/sdk.ts'
import { startLines } from './measure/starts.ts'
import { writeReport } from './report.ts'

const ANNOTATORS = 17
/** The number of clients with which one user sends the most expensive searches and reads. */
const HEAVY_CLIENTS = 16
/**
 * The number of answers that complete a record. Three, so that a team of 16 doesn't run out of 10,000 records in 20 seconds.
 */
const MIN_SUBMITTED = 3
/** The number of records in a second, small dataset. */
const FEW = 10_000

type Options = { readonly seconds: number; readonly without: ReadonlySet<string>; readonly onlyBulk: boolean }

const firstOf = async (data: DataSet): Promise<DataRecord> => {
  for await (const record of data.records()) return record
  throw new Error('the dataset is empty')
}

/** Opens the bare driver on a copy of a dataset. */
const bareOf = (place: Place, id: string, values: unknown): Promise<Bare> =>
  place.databaseUrl === undefined
    ? bareSqlite(place.dataDir, id, JSON.stringify(values))
    : barePostgres(place.databaseUrl, id, JSON.stringify(values))

const measure = async (
  engine: Engine,
  records: number,
  options: Options,
  add: (line: Omit<Line, 'engine' | 'records'>) => void,
): Promise<void> => {
  const addAll = async (lines: Promise<readonly Omit<Line, 'engine' | 'records'>[]>) => {
    for (const line of await lines) add(line)
  }
  const data = await dataset(records)
  const sample = await firstOf(data)
  const values = toWireValues(sample)
  const place = await emptyPlace(engine)
  const server = await startBenchServer(engine, place, { POSTIL_MODELS_ALLOW_PRIVATE: 'true' })
  const idle = (await server.look()).rss
  add({ what: 'memory after the first start', value: idle / 2 ** 20, unit: 'MiB', aim: '< 200 MB', met: idle < 200e6 })
  const made = await createDataset(server.owner, data.settings, `bench-${records}`, MIN_SUBMITTED)
  const clients: Client[] = []
  for (let i = 0; i < ANNOTATORS; i++) clients.push(await createAnnotator(server, made, `annotator-${i}`))
  const [spare = server.owner, ...team] = clients

  const bare = await bareOf(place, made.id, values)
  await server.look()
  const bulk = bulkLine(BULK, await sendWithBare(server, made, data, bare))
  // The measured period includes the pauses in which the bare driver runs. The server is idle in these pauses, so they don't
  // affect the maximum delay.
  const during = await server.look()
  add(bulk)
  add({
    what: 'bulk upsert: event loop delay',
    value: during.p99,
    unit: 'ms',
    max: during.max,
    aim: 'p99 < 20 ms',
    met: during.p99 < 20,
  })
  const few = await dataset(FEW)
  const secondRun = await createDataset(server.owner, few.settings, 'bench-again', MIN_SUBMITTED)
  const bareSecondRun = await bareOf(place, secondRun.id, values)
  add(bulkLine(`${BULK}, ${FEW} more`, await sendWithBare(server, secondRun, few, bareSecondRun)))
  await bareSecondRun.close()
  if (options.onlyBulk) {
    await bare.close()
    for (const client of [...clients, server.owner]) client.close()
    await server.stop()
    return place.drop()
  }
  await bare.settle()

  await addAll(readLines({ owner: server.owner, annotator: spare }, made.id, records, sample.vectors.words, bare))
  add(await settledSimilarityLine(server.owner, made.id, sample.vectors.words, bare))
  await addAll(largeLines(server.owner, made, records, sample.vectors.words))
  add(await submitLine(spare, made.id, values, bare))
  add(await recordAgreementLine(server, data.settings, sample))
  await addAll(annotatorLines(server, team, made.id, values, options.seconds, bare))
  const heavy = Array.from({ length: HEAVY_CLIENTS }, () => new Client(server.url, OWNER.apiKey))
  await addAll(heavySearchLines(heavy, spare, made.id))
  await addAll(largeHistoryLines(server, HEAVY_CLIENTS, spare, made))
  for (const client of heavy) client.close()
  await bare.close()
  const history = await historySwitch(place)
  add(await historyLine(team, made.id, values, options.seconds, history))
  await history.close()
  if (!options.without.has('records-page')) await addAll(recordsPageLines(server, team, made, data, sample))
  if (!options.without.has('large-records')) await addAll(largeRecordLines(server, spare, made))
  if (!options.without.has('deletion')) {
    const other = await createDataset(server.owner, few.settings, 'bench-other', 1)
    const second = new Client(server.url, OWNER.apiKey)
    add(concurrentLine(await sendConcurrently([server.owner, second], other, few), 2, bulk.bare))
    second.close()
    const workers = { owner: server.owner, annotator: spare }
    await addAll(deletionLines(workers, made.id, other.id, values))
  }
  if (!options.without.has('agreement')) await addAll(agreementLines(server, secondRun.id, made, place))
  if (!options.without.has('review')) add(await reviewQueueLine(server.owner, made, place))
  if (!options.without.has('models')) add(await modelRunLine(server, made))
  if (!options.without.has('sdk')) {
    const other = await createDataset(server.owner, data.settings, 'bench-sdk', 1)
    await addAll(sdkLines(server, other, data))
  }
  for (const client of [...clients, server.owner]) client.close()
  await server.stop()
  if (!options.without.has('starts')) await addAll(startLines(engine, place))
  await place.drop()
}

const { values: flags } = parseArgs({
  options: {
    engines: { type: 'string', default: 'sqlite,postgres' },
    sizes: { type: 'string', default: '10000,100000' },
    seconds: { type: 'string', default: '20' },
    without: { type: 'string', default: '' },
    'only-bulk': { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    'report-only': { type: 'boolean', default: false },
  },
})

const measureAll = async (): Promise<readonly Line[]> => {
  await prepare()
  const engines = flags.engines.split(',') as Engine[]
  const postgres = engines.includes('postgres') ? await startMeasuredPostgres('bench') : null
  if (postgres) process.env.POSTIL_TEST_POSTGRES_URL = postgres.url
  const options = { seconds: Number(flags.seconds), without: new Set(flags.without.split(',')), onlyBulk: flags['only-bulk'] }
  const all: Line[] = []
  try {
    for (const engine of engines) {
      for (const records of flags.sizes.split(',').map(Number)) {
        const commit = commitNow()
        const lines: Line[] = []
        await measure(engine, records, options, (line) => {
          lines.push({ engine, records, ...line })
          console.error(`${engine} ${records} ${line.what}: ${Math.round(line.value * 100) / 100} ${line.unit}`)
        })
        const date = new Date().toISOString()
        if (!options.onlyBulk)
          storeRun({ engine, records, date, commit, node: process.versions.node, machine: machineNow(), lines })
        all.push(...lines)
      }
    }
  } finally {
    await postgres?.stop()
  }
  return all
}

if (!flags['report-only']) {
  const lines = await measureAll()
  console.log(`${tableOf(lines)}\n\n${growthOf(lines)}\n`)
  console.log(JSON.stringify({ node: process.version, machine: machineNow(), lines }))
}
if (flags.report || flags['report-only']) writeReport()
