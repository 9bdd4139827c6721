import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { root } from '../lib/run.mjs'
import { processorTime } from './processor-time.ts'

/**
 * Writes the processor time of each test file, in seconds and in descending order, to the file that POSTIL_TEST_PROCESSOR_TIME
 * names. Needs a run with one worker. Databases that don't belong to the run, such as PostgreSQL, are not included.
 */
export default class ProcessorTimeReporter implements Reporter {
  private before = processorTime(process.pid) ?? 0
  private readonly files: { readonly file: string; readonly seconds: number; readonly tests: number }[] = []

  onTestModuleEnd(module: TestModule): void {
    const now = processorTime(process.pid)
    const output = process.env['POSTIL_TEST_PROCESSOR_TIME']
    if (now === undefined || !output) return
    const seconds = Math.round((now - this.before) * 100) / 100
    const tests = [...module.children.allTests()].length
    this.before = now
    this.files.push({ file: relative(root, module.moduleId), seconds, tests })
    this.files.sort((a, b) => b.seconds - a.seconds)
    const lines = this.files.map(
      ({ file, seconds, tests }) => `${seconds.toFixed(2).padStart(8)} ${String(tests).padStart(4)} ${file}`,
    )
    const total = this.files.reduce((sum, { seconds }) => sum + seconds, 0)
    writeFileSync(output, `${lines.join('\n')}\n${total.toFixed(2).padStart(8)} in total\n`)
  }
}
