import type { BenchServer } from './bench-server.ts'

/** Returns the server's peak memory during some work. */
export const peakDuring = async <T>(
  server: BenchServer,
  work: Promise<T>,
): Promise<{ readonly result: T; readonly peak: number }> => {
  let peak = 0
  let isDone = false
  const watcher = (async () => {
    while (!isDone) {
      peak = Math.max(peak, (await server.look()).rss)
      await new Promise((done) => setTimeout(done, 200))
    }
  })()
  try {
    const result = await work
    return { result, peak }
  } finally {
    isDone = true
    await watcher
  }
}
