/** Whether the tests run at full size: `npm run test:full`. */
export const isFullRun = process.env['POSTIL_TEST_FULL'] === '1'

/** The size of a test: small enough for daily runs, or as large as the documented limits in full runs. */
export const scaled = (dailySize: number, fullSize: number): number => (isFullRun ? fullSize : dailySize)

/** Returns the variants to test. Full runs test all variants. Daily runs test `daily` of them, evenly spaced in the list. */
export const variants = <const T>(daily: number, all: readonly T[]): T[] =>
  isFullRun ? [...all] : Array.from({ length: daily }, (_, i) => all[Math.floor(((i + 0.5) * all.length) / daily)] as T)
