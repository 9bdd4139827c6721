import { test } from 'vitest'

/**
 * Whether this is a daily run: `npm test` with all jobs. Daily runs skip tests of details. Full runs, and runs of single files or
 * topics, skip none.
 */
export const isDailyRun = process.env['POSTIL_TEST_DAILY'] === '1'

/**
 * Declares a test that daily runs skip, because other tests of the same area take the same path through the code. All other runs
 * include it.
 */
export const detail = test.skipIf(isDailyRun)
