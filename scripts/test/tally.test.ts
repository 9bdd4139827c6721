import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { add, FAILED, NOTHING, tallyOfJunit, tallyOfVitest, withExit } from './tally.ts'

const folder = mkdtempSync(join(tmpdir(), 'postil tally '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (content: string) => {
  const path = join(folder, 'report')
  writeFileSync(path, content)
  return path
}

test("counts pytest's report, with setup errors as failures", () => {
  const path = file(
    '<?xml version="1.0"?><testsuites><testsuite name="pytest" errors="1" failures="2" skipped="3" tests="10" time="1"></testsuite></testsuites>',
  )
  expect(tallyOfJunit(path)).toEqual({ passed: 4, failed: 3, skipped: 3 })
})

test("counts Vitest's report", () => {
  const path = file(JSON.stringify({ numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 }))
  expect(tallyOfVitest(path)).toEqual({ passed: 5, failed: 1, skipped: 3 })
})

test('counts a runner that died without output as a failure', () => {
  expect(tallyOfVitest('/nowhere')).toEqual(NOTHING)
  expect(withExit(NOTHING, 1)).toEqual(FAILED)
  expect(withExit(add(FAILED, FAILED), 1)).toEqual({ passed: 0, failed: 2, skipped: 0 })
  expect(withExit(NOTHING, 0)).toEqual(NOTHING)
})

test('reports the failures of several runners together', () => {
  const first = { passed: 1, failed: 1, skipped: 0, trouble: 'failed one\n' }
  const second = { passed: 2, failed: 0, skipped: 0, trouble: 'failed two\n' }
  expect(add(add(NOTHING, first), second)).toEqual({
    passed: 3,
    failed: 1,
    skipped: 0,
    trouble: 'failed one\nfailed two\n',
  })
  expect(add(NOTHING, FAILED)).toEqual(FAILED)
})
