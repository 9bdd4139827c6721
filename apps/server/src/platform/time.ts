/** Microseconds since the Unix epoch, as stored on both engines. Fits a double exactly until the year 2255. */
export type Micros = number

/** A clock that nobody sets. */
const steadyClock = (): Micros => performance.now() * 1000

let last = Date.now() * 1000
/** When `last` was the present. */
let lastSteady = steadyClock()
let floor = 0

/** Says what has been: the present is after it in this thread, also where the clock of the machine was set back meanwhile. */
export const setFloor = (at: Micros): void => {
  floor = Math.max(floor, at)
  if (at <= last) return
  last = at
  lastSteady = steadyClock()
}

/** Milliseconds since the Unix epoch, not before what `setFloor` was told. */
export const nowMs = (): number => Math.max(Date.now(), Math.ceil(floor / 1000))

/** What the clock of the machine shows, in microseconds, also when it was set back: for what has to end although it was. */
export const wallClock = (): Micros => Date.now() * 1000

/**
 * The present in microseconds, strictly rising within a process, so that rows of one bulk differ and sort. Where the clock of the machine was
 * set back, it goes on at half the speed of time until that clock is there again: what is due comes, and times are right in the end.
 */
export const now = (): Micros => {
  const steady = steadyClock()
  last = Math.max(last + 1, Date.now() * 1000, Math.floor(last + (steady - lastSteady) / 2))
  lastSteady = steady
  return last
}

const printed = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:Z|\+00:?00)?$/

/** Reads a time as the wire prints it, in UTC with or without the suffix that says so; null for anything else. */
export const readTime = (text: string): Micros | null => {
  const [, day, time, fraction = ''] = printed.exec(text) ?? []
  const millis = day === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`)
  return Number.isNaN(millis) ? null : millis * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

// NOTE: a page or a bulk has thousands of times of few seconds
let second = Number.NaN
let printedSecond = ''

/** Prints as the wire wants: UTC without zone suffix, six decimals, none when they are zero. */
export const printTime = (micros: Micros): string => {
  const fraction = micros % 1_000_000
  if (micros - fraction !== second) {
    second = micros - fraction
    printedSecond = new Date(second / 1000).toISOString().slice(0, 19)
  }
  const seconds = printedSecond
  return fraction === 0 ? seconds : `${seconds}.${String(fraction).padStart(6, '0')}`
}

/** Prints with `Z`, as webhook messages want. */
export const printTimeZ = (micros: Micros): string => `${printTime(micros)}Z`
