import { test } from 'vitest'

/** Whether `npm test` runs all jobs at their daily size. Runs of single files or topics are always complete. */
export const isDailyRun = process.env['POSTIL_TEST_DAILY'] === '1'

/**
 * Declares a test of a detail. Daily runs skip it, because other tests of the same area take the same path through the code.
 * Full runs, topics and single files run it.
 */
export const detail = test.skipIf(isDailyRun)
