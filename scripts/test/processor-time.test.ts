import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { processorTime } from './processor-time.ts'

const SECONDS = 0.3
const work = `while (process.cpuUsage().user < ${SECONDS * 1e6}) Math.sqrt(2)`

it.runIf(process.platform === 'linux')('counts the work of children that have ended', { timeout: 60_000 }, () => {
  const before = processorTime(process.pid) ?? 0
  execFileSync(process.execPath, ['-e', work])
  // Linux rounds to ticks.
  expect((processorTime(process.pid) ?? 0) - before).toBeGreaterThan(SECONDS - 0.05)
})

it('counts nothing of a process that does not exist', () => {
  expect(processorTime(2 ** 30) ?? 0).toBe(0)
})
