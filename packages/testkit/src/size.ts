/** Whether the tests run at full size: `npm run test:full`. */
export const isFull = process.env['POSTIL_TEST_FULL'] === '1'

/** How much of something a test does: little enough for every day, or as much as the promise says. */
export const sized = (daily: number, full: number): number => (isFull ? full : daily)
