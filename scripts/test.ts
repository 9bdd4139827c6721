/**
 * `npm test`: runs everything on both engines, without manual installation. A few jobs run at a time, at most two of them with
 * a browser. The last line sums up all runners. The exit code is 0 only if at least one test ran and none failed.
 *
 * npm test                 all jobs
 * npm test -- unit e2e     the jobs whose names contain one of the words
 * npm test -- spans        if no job has such a name: the test files whose paths contain the word, on SQLite
 * npm run test:full        all tests at full size, to verify the documented guarantees (takes over an hour)
 */
import { availableParallelism } from 'node:os'
import { endChildren } from './lib/run.mjs'
import type { Job } from './test/jobs.ts'
import { jobs, logOf, topic } from './test/jobs.ts'
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
    log.write(String(error instanceof Error ? (error.name === 'UserError' ? error.message : error.stack) : error))
    tally = FAILED
  }
  await log.end()
  const seconds = Math.round((performance.now() - began) / 1000)
  if (tally.failed > 0) console.log(`\n──── ${job.name}\n${log.text().split('\n').slice(-LINES_OF_A_FAILURE).join('\n')}────`)
  console.log(
    `${tally.failed > 0 ? 'FAILED' : 'ok    '} ${job.name.padEnd(20)} ${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped (${seconds} s)`,
  )
  // Repeats the failures in short form, because only part of a long log may be available.
  if (tally.trouble) console.log(tally.trouble)
  return tally
}

const needsBrowser = ({ name }: Job): boolean => name.startsWith('e2e-')

/** A job spends a third of its time waiting for servers, databases or browsers, so three jobs keep two processors busy. */
const MAX_JOBS = availableParallelism() > 1 ? 3 : 1
/** The maximum number of jobs with a browser at a time. More browsers would slow each other down. */
const MAX_BROWSER_JOBS = 2

/** Removes and returns a job that may start. */
const takeNext = (waiting: Job[], browsers: number): Job | undefined => {
  const index = waiting.findIndex((job) => !needsBrowser(job) || browsers < MAX_BROWSER_JOBS)
  return index < 0 ? undefined : waiting.splice(index, 1)[0]
}

const runAll = async (all: readonly Job[]): Promise<Tally> => {
  const waiting = [...all]
  let total = NOTHING
  let browsers = 0
  const worker = async () => {
    for (let job = takeNext(waiting, browsers); job !== undefined; job = takeNext(waiting, browsers)) {
      if (needsBrowser(job)) browsers += 1
      const tally = await runJob(job)
      if (needsBrowser(job)) browsers -= 1
      // Must come after the await, because other workers add to the total while this one waits.
      total = add(total, tally)
    }
  }
  await Promise.all(Array.from({ length: MAX_JOBS }, worker))
  return total
}

const words = process.argv.slice(2).filter((word) => word !== '--full')
if (process.argv.includes('--full')) process.env['POSTIL_TEST_FULL'] = '1'
const setup = setUp({ all: words.length === 0 })

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    endChildren()
    void setup.stop().finally(() => process.exit(130))
  })
}

const isFullRun = process.env['POSTIL_TEST_FULL'] === '1'
const isWanted = ({ name, isOnlyInFullRuns = false }: Job): boolean =>
  words.length === 0 ? isFullRun || !isOnlyInFullRuns : words.some((word) => name.includes(word))
const named = jobs(setup).filter(isWanted)
const wanted = named.length > 0 ? named : [topic(setup, words)]
const total = await runAll(wanted)
await setup.stop()
// Repeated at the end for readers who only see the last lines.
if (total.trouble) console.log(`\n${total.trouble}`)
if (total.passed + total.failed === 0) console.error('No tests ran.')
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0)
