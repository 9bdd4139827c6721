import { existsSync, readFileSync } from 'node:fs'

export type Tally = {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** The tests that failed, each with its reasons. */
  readonly trouble?: string
}

export const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0 }
export const FAILED: Tally = { passed: 0, failed: 1, skipped: 0 }

export const add = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  ...((a.trouble || b.trouble) && { trouble: `${a.trouble ?? ''}${b.trouble ?? ''}` }),
})

/** A runner that failed without counting a failure (a file that does not load, a crash) counts as one. */
export const withExit = (tally: Tally, code: number): Tally => (code !== 0 && tally.failed === 0 ? add(tally, FAILED) : tally)

type VitestReport = {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
}

/** The counts of a report of Vitest's JSON reporter. */
export const ofVitest = (file: string): Tally => {
  if (!existsSync(file)) return NOTHING
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests + report.numTodoTests }
}

/** The counts of a JUnit file as pytest writes it. */
export const ofJunit = (file: string): Tally => {
  if (!existsSync(file)) return NOTHING
  const head = /<testsuite [^>]*>/.exec(readFileSync(file, 'utf8'))?.[0] ?? ''
  const number = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(head)?.[1] ?? 0)
  const failed = number('failures') + number('errors')
  const skipped = number('skipped')
  return { passed: number('tests') - failed - skipped, failed, skipped }
}
