import type { BenchServer } from './world.ts'

/** The most memory that the server holds while something goes on. */
export const peakDuring = async <T>(
  server: BenchServer,
  work: Promise<T>,
): Promise<{ readonly result: T; readonly peak: number }> => {
  let peak = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, (await server.look()).rss)
      await new Promise((done) => setTimeout(done, 200))
    }
  })()
  try {
    const result = await work
    return { result, peak }
  } finally {
    isOver = true
    await watching
  }
}
