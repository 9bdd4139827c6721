/**
 * Checks that a large team gives exactly as many answers as needed, and measures how long annotators wait for the next record.
 * Annotators work through a dataset on several server processes, which are killed during the run. `e2e/queue` runs a smaller
 * version.
 *
 * npx node bench/queue.ts [--engine postgres] [--annotators 50] [--processes 4] [--records 10000] [--target 3] [--kills 20]
 * [--most 1] [--think 1]
 *
 * Each annotator spends about a second on a record (plus or minus half a second), which is faster than people are. With `--think
 * 0`, nobody pauses, which gives the maximum rate.
 *
 * Prints the figures, then the same figures as one line of JSON, and saves them for the report. Exits with 1 if a record has the
 * wrong number of answers.
 */
import { parseArgs } from 'node:util'
import type { Engine } from '../e2e/harness/server.ts'
import { emptyPlace } from '../e2e/harness/server.ts'
import { type Outcome, type Plan, simulate } from '../e2e/queue/simulate.ts'
import { prepare } from '../scripts/prepare.mjs'
import { startMeasuredPostgres } from './lib/postgres.ts'
import { spread } from './lib/stats.ts'
import { beginTeamRun } from './lib/team-run-store.ts'

const LEASE_MS = 10_000

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    annotators: { type: 'string', default: '50' },
    processes: { type: 'string', default: '4' },
    records: { type: 'string', default: '10000' },
    target: { type: 'string', default: '3' },
    kills: { type: 'string', default: '20' },
    most: { type: 'string', default: '1' },
    think: { type: 'string', default: '1' },
  },
})
const engine = values.engine as Engine
const plan: Plan = {
  annotators: Number(values.annotators),
  // Only one process can use the embedded database.
  processes: engine === 'sqlite' ? 1 : Number(values.processes),
  records: Number(values.records),
  target: Number(values.target),
  kills: Number(values.kills),
  most: Number(values.most),
  leaseMs: LEASE_MS,
  thinkMs: Number(values.think) * 1000,
}

const runFigures = ({ asks, submits, answers, seconds, kills, repeated, lost, waits, progress, submittedBy }: Outcome) => {
  const rounded = (times: readonly number[]) =>
    Object.fromEntries(Object.entries(spread(times)).map(([name, ms]) => [name, Math.round(ms * 10) / 10]))
  const wrong = [...submittedBy.values()].filter((users) => users.length !== plan.target || new Set(users).size !== plan.target)
  return {
    engine,
    ...plan,
    kills,
    seconds: Math.round(seconds),
    answers,
    answers_per_second: Math.round(answers / seconds),
    next_ms: rounded(asks),
    submit_ms: rounded(submits),
    repeated_requests: repeated,
    leases_lost: lost,
    empty_responses_with_records_left: waits,
    records_complete: progress.completed,
    surplus: progress.surplus,
    records_with_wrong_answer_count: wrong.length + (plan.records - submittedBy.size),
  }
}

await prepare()
const storeFigures = beginTeamRun('queue', engine)
const postgres = engine === 'postgres' ? await startMeasuredPostgres('bench-queue') : null
if (postgres !== null) process.env.POSTIL_TEST_POSTGRES_URL = postgres.url
try {
  const place = await emptyPlace(engine)
  try {
    const figures = runFigures(await simulate(place, plan))
    for (const [name, value] of Object.entries(figures))
      console.log(`${name.padEnd(40)} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    console.log(JSON.stringify(figures))
    storeFigures(figures)
    const isExact = figures.records_with_wrong_answer_count === 0 && figures.surplus === 0
    process.exitCode = isExact && figures.records_complete === plan.records ? 0 : 1
  } finally {
    await place.drop()
  }
} finally {
  await postgres?.stop()
}
