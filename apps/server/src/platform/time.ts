/** Microseconds since the Unix epoch, as stored on both engines. A double is exact until the year 2255. */
export type Micros = number

/** A monotonic clock, which can't be set. */
const steadyClock = (): Micros => performance.now() * 1000

let last = Date.now() * 1000
/** The steady clock's value at the moment when `last` was set. */
let lastSteady = steadyClock()
let floor = 0

/** From now on, this thread's current time is at least `at`, even if the machine's clock shows an earlier time. */
export const setFloor = (at: Micros): void => {
  floor = Math.max(floor, at)
  if (at <= last) return
  last = at
  lastSteady = steadyClock()
}

/** Milliseconds since the Unix epoch, never before the bound from `setFloor`. */
export const nowMs = (): number => Math.max(Date.now(), Math.ceil(floor / 1000))

/**
 * The machine's clock in microseconds. If the clock is set back, this time is set back, too, while `now` keeps increasing at half
 * speed. Use this time for deadlines.
 */
export const wallClock = (): Micros => Date.now() * 1000

/**
 * The current time in microseconds. It strictly increases within a process, so the rows of one bulk request have distinct,
 * sortable times. If the machine's clock was set back, this clock runs at half speed until the machine's clock catches up. Due
 * times are therefore still reached, and times eventually become correct.
 */
export const now = (): Micros => {
  const steady = steadyClock()
  last = Math.max(last + 1, Date.now() * 1000, Math.floor(last + (steady - lastSteady) / 2))
  lastSteady = steady
  return last
}

const printed = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:Z|\+00:?00)?$/

/** Parses a time in wire format, in UTC with or without the UTC suffix. Null for anything else. */
export const readTime = (text: string): Micros | null => {
  const [, day, time, fraction = ''] = printed.exec(text) ?? []
  const millis = day === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`)
  return Number.isNaN(millis) ? null : millis * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

// A response to a list or bulk request contains thousands of timestamps, and many of them are from the same few seconds.
// Therefore, the text of the second that was printed most recently is cached.
let second = Number.NaN
let printedSecond = ''

/** Prints a time in wire format: UTC without a zone suffix, with six decimals, or no decimals if they are zero. */
export const printTime = (micros: Micros): string => {
  const fraction = micros % 1_000_000
  if (micros - fraction !== second) {
    second = micros - fraction
    printedSecond = new Date(second / 1000).toISOString().slice(0, 19)
  }
  const seconds = printedSecond
  return fraction === 0 ? seconds : `${seconds}.${String(fraction).padStart(6, '0')}`
}

/** Prints a time with `Z`, as webhook messages require. */
export const printTimeZ = (micros: Micros): string => `${printTime(micros)}Z`
