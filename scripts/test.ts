/**
 * `npm test`: everything, on both engines, with nothing to install by hand. A few jobs run at a time, at most two of them with a browser. The closing line
 * sums up all runners; the exit code is 0 only when something ran and nothing failed.
 *
 *   npm test                 all jobs
 *   npm test -- unit e2e     the jobs whose names contain one of the words
 *   npm run test:full        at full size: what is promised of exactness, shown with as much as the promise says (hours)
 */
import { availableParallelism } from 'node:os'
import { endChildren } from './lib/run.mjs'
import type { Job } from './test/jobs.ts'
import { jobs, logOf } from './test/jobs.ts'
import { setUp } from './test/setup.ts'
import type { Tally } from './test/tally.ts'
import { add, FAILED, NOTHING } from './test/tally.ts'

const LINES_OF_A_FAILURE = 400

const runJob = async (job: Job): Promise<Tally> => {
  const log = logOf(job.name)
  const began = performance.now()
  let tally: Tally
  try {
    tally = await job.run(log.write)
  } catch (error) {
    log.write(String(error instanceof Error ? (error.name === 'Sentence' ? error.message : error.stack) : error))
    tally = FAILED
  }
  await log.end()
  const seconds = Math.round((performance.now() - began) / 1000)
  if (tally.failed > 0) console.log(`\n──── ${job.name}\n${log.text().split('\n').slice(-LINES_OF_A_FAILURE).join('\n')}────`)
  console.log(
    `${tally.failed > 0 ? 'FAILED' : 'ok    '} ${job.name.padEnd(20)} ${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped (${seconds} s)`,
  )
  // NOTE: again, and short: of a long log only a part may be at hand
  if (tally.trouble) console.log(tally.trouble)
  return tally
}

const needsBrowser = ({ name }: Job): boolean => name.startsWith('e2e-')

/** A job waits for its servers, its database or its browser a third of the time: so many keep two processors busy. */
const LANES = availableParallelism() > 1 ? 3 : 1
/** Browsers keep each other from what they wait for. */
const BROWSERS = 2

/** A job that may begin. */
const takeNext = (waiting: Job[], browsers: number): Job | undefined => {
  const index = waiting.findIndex((job) => !needsBrowser(job) || browsers < BROWSERS)
  return index < 0 ? undefined : waiting.splice(index, 1)[0]
}

const runAll = async (all: readonly Job[]): Promise<Tally> => {
  const waiting = [...all]
  let total = NOTHING
  let browsers = 0
  const lane = async () => {
    for (let job = takeNext(waiting, browsers); job !== undefined; job = takeNext(waiting, browsers)) {
      if (needsBrowser(job)) browsers += 1
      const tally = await runJob(job)
      if (needsBrowser(job)) browsers -= 1
      // NOTE: after the wait, because the other lanes add to it meanwhile
      total = add(total, tally)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return total
}

const words = process.argv.slice(2).filter((word) => word !== '--full')
if (process.argv.includes('--full')) process.env['POSTIL_TEST_FULL'] = '1'
const setup = setUp()
const stopPostgres = async () => {
  const postgres = await setup.postgres.catch(() => null)
  await postgres?.stop()
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    endChildren()
    void stopPostgres().finally(() => process.exit(130))
  })
}

const wanted = jobs(setup).filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
const total = await runAll(wanted)
await stopPostgres()
// NOTE: at the end, where those who only see the last lines find it
if (total.trouble) console.log(`\n${total.trouble}`)
if (total.passed + total.failed === 0) console.error('No test ran.')
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0)
