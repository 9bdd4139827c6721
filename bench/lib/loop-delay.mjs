/**
 * Loaded into a measured server with `node --import`. Measures the event loop delay and the memory use. On SIGUSR2, it appends
 * the measurements as a line of JSON to the file that POSTIL_BENCH_PROBE names, and resets the delay.
 */
import { appendFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const file = process.env.POSTIL_BENCH_PROBE
if (file && isMainThread) {
  const RESOLUTION_MS = 1
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  // The histogram contains the time between two timer ticks, so the timer's resolution is subtracted.
  const ms = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
  process.on('SIGUSR2', () => {
    const line = {
      p50: ms(delay.percentile(50)),
      p99: ms(delay.percentile(99)),
      max: ms(delay.max),
      rss: process.memoryUsage.rss(),
    }
    appendFileSync(file, `${JSON.stringify(line)}\n`)
    delay.reset()
  })
}
