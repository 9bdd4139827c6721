import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { root } from '../lib/run.mjs'

const LINES_OF_A_REASON = 6

const reasons = (errors: ReadonlyArray<{ readonly message: string; readonly stack?: string }> | undefined): string =>
  (errors ?? [])
    .map(({ message, stack }) => {
      const place = stack?.split('\n').find((line) => line.includes('.e2e.ts') || line.includes('.test.ts'))
      return [...message.split('\n').slice(0, LINES_OF_A_REASON), ...(place ? [place.trim()] : [])]
        .map((line) => `    ${line}`)
        .join('\n')
    })
    .join('\n')

/** Writes every failed test with its reasons to the file that POSTIL_TEST_TROUBLE names. */
export default class TroubleReporter implements Reporter {
  private readonly write = (name: string, errors: Parameters<typeof reasons>[0]): void => {
    const file = process.env['POSTIL_TEST_TROUBLE']
    if (file) appendFileSync(file, `failed ${name}\n${reasons(errors)}\n`)
  }

  onTestCaseResult(testCase: TestCase): void {
    const { state, errors } = testCase.result()
    const name = `${relative(root, testCase.module.moduleId)} > ${testCase.fullName}`
    if (state === 'failed') this.write(name, errors)
  }

  onTestModuleEnd(module: TestModule): void {
    const errors = module.errors()
    if (errors.length > 0) this.write(relative(root, module.moduleId), errors)
  }
}
