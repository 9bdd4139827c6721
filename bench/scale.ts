/**
 * The throughput of several processes. Annotators fetch a page and answer its first record, without pausing: through nginx and PgBouncer with
 * one, two and four processes, and directly with one process.
 *
 * node bench/scale.ts [--annotators 16] [--seconds 20] [--records 10000] [--processes 1,2,4]
 *
 * Prints a line per setup, then the same figures as one line of JSON, and saves them for the report.
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { type Stack, startStack } from '../deploy/lib/stack.ts'
import { emptyPlace, environment, OWNER } from '../e2e/harness/server.ts'
import { prepare } from '../scripts/prepare.mjs'
import { dataset } from './data/packages.ts'
import { createAnnotator, createDataset, toWireValues } from './lib/bench-server.ts'
import { Client } from './lib/http.ts'
import { startMeasuredPostgres } from './lib/postgres.ts'
import { spread } from './lib/stats.ts'
import { beginTeamRun } from './lib/team-run-store.ts'
import { annotate } from './measure/answers.ts'
import { sendAll } from './measure/bulk.ts'

const { values: flags } = parseArgs({
  options: {
    annotators: { type: 'string', default: '16' },
    seconds: { type: 'string', default: '20' },
    records: { type: 'string', default: '10000' },
    processes: { type: 'string', default: '1,2,4' },
  },
})
const annotators = Number(flags.annotators)
const seconds = Number(flags.seconds)

type Figures = {
  readonly processes: number
  readonly through: string
  readonly loops_per_second: number
  readonly page_p95_ms: number
  readonly submit_p95_ms: number
}

const setupName = ({ processes, through }: Pick<Figures, 'processes' | 'through'>): string =>
  `${processes} ${processes === 1 ? 'process' : 'processes'} ${through}`

const data = await dataset(Number(flags.records))
const firstAnswer = async () => {
  for await (const record of data.records()) return toWireValues(record)
  throw new Error('the dataset is empty')
}
const answer = await firstAnswer()

/** Each run gets a new database, because answers of earlier runs would slow down the queue. */
const measure = async (processes: number, pooler: boolean): Promise<Figures> => {
  const postgres = await startMeasuredPostgres('scale')
  const folder = await emptyPlace('sqlite')
  const place = { ...folder, databaseUrl: postgres.url }
  let stack: Stack | null = null
  const clients: Client[] = []
  try {
    stack = await startStack({ processes, databaseUrl: postgres.url, pooler, env: environment(place), dataDir: place.dataDir })
    // Without the pooler, requests bypass the proxy too.
    const url = pooler ? stack.url : `http://127.0.0.1:${stack.processes[0]?.port}`
    const owner = new Client(url, OWNER.apiKey)
    clients.push(owner)
    const made = await createDataset(owner, data.settings, 'scale', 2)
    await sendAll({ owner }, made, data)
    const people: Client[] = []
    for (let i = 0; i < annotators; i++) people.push(await createAnnotator({ owner, url }, made, `annotator-${i}`))
    clients.push(...people)
    const { loops, pages, submits, seconds: took } = await annotate(people, made.id, answer, seconds)
    const rounded = (ms: number) => Math.round(ms * 10) / 10
    return {
      processes,
      through: pooler ? 'with nginx and PgBouncer' : 'without a proxy',
      loops_per_second: Math.round(loops / took),
      page_p95_ms: rounded(spread(pages).p95),
      submit_p95_ms: rounded(spread(submits).p95),
    }
  } finally {
    for (const client of clients) client.close()
    await stack?.stop()
    await folder.drop()
    await postgres.stop()
  }
}

await prepare()
const storeFigures = beginTeamRun('scale', 'postgres')
const all: Figures[] = []
for (const [processes, pooler] of [[1, false], ...flags.processes.split(',').map((n) => [Number(n), true])] as [
  number,
  boolean,
][]) {
  const figures = await measure(processes, pooler)
  all.push(figures)
  const { loops_per_second, page_p95_ms, submit_p95_ms } = figures
  console.log(`${setupName(figures)}: ${loops_per_second} loops/s, page p95 ${page_p95_ms} ms, submit p95 ${submit_p95_ms} ms`)
}
storeFigures({
  annotators,
  seconds,
  records: Number(flags.records),
  cores: cpus().length,
  ...Object.fromEntries(all.map(({ processes, through, ...figures }) => [setupName({ processes, through }), figures])),
})
console.log(JSON.stringify({ annotators, seconds, records: Number(flags.records), cores: cpus().length, runs: all }))
