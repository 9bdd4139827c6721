/** Whether the tests run at full size: `npm run test:full`. */
export const isFullRun = process.env['POSTIL_TEST_FULL'] === '1'

/** The size of a test: small enough for daily runs, or as large as the documented limits in full runs. */
export const scaled = (dailySize: number, fullSize: number): number => (isFullRun ? fullSize : dailySize)
