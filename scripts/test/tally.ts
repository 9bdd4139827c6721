import { existsSync, readFileSync } from 'node:fs'

export type Tally = {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** The failed tests with their reasons. */
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

/** A runner that fails without counting a failure (for example, a file that doesn't load, or a crash) counts as one failure. */
export const withExit = (tally: Tally, code: number): Tally => (code !== 0 && tally.failed === 0 ? add(tally, FAILED) : tally)

type VitestReport = {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
}

/** The counts in a report of Vitest's JSON reporter. */
export const tallyOfVitest = (file: string): Tally => {
  if (!existsSync(file)) return NOTHING
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests + report.numTodoTests }
}

/** The counts in a JUnit file from pytest. */
export const tallyOfJunit = (file: string): Tally => {
  if (!existsSync(file)) return NOTHING
  const head = /<testsuite [^>]*>/.exec(readFileSync(file, 'utf8'))?.[0] ?? ''
  const number = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(head)?.[1] ?? 0)
  const failed = number('failures') + number('errors')
  const skipped = number('skipped')
  return { passed: number('tests') - failed - skipped, failed, skipped }
}
