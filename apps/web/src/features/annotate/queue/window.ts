import { bulkLimit } from '#lib/constants.ts'

/**
 * A window on a list that the server keeps and that changes meanwhile: answered records leave it, others come or go.
 * Pure: what to ask for next, and what an answer to it means. Offsets and counts are of records.
 */

/** New pages begin this many known records early, so that a shift of the list shows. */
const overlap = 3
/** No answer of the server has more records. */
const most = bulkLimit

export type Ask = {
  readonly offset: number
  readonly limit: number
  /** At least one record of the page has to be known, or the list has shifted further than the overlap. */
  readonly mustTouch: boolean
}

type Known = {
  /** How many records of the list lie before the first known one. */
  readonly before: number
  /** How many known records the server still has in the list. */
  readonly counted: number
  readonly size: number
}

/** The page after the known records; of one that is too large with its overlap, as much as the server gives at once. */
export const askNext = ({ before, counted, size }: Known): Ask => {
  const shared = Math.min(overlap, counted)
  return { offset: before + counted - shared, limit: Math.min(most, size + shared), mustTouch: shared > 0 }
}

/**
 * The page asked for did not touch what is known: look further in front, at last from the beginning. No more than half of the most, so
 * that the page reaches well into the one asked for before: what comes after the known records is then on it.
 */
export const askFurtherBack = ({ offset, limit }: Ask): Ask => {
  const back = Math.min(offset, limit * 2, most / 2)
  return { offset: offset - back, limit: Math.min(most, limit + back), mustTouch: offset - back > 0 }
}

/** True when more was wanted than can be asked for at once. */
export const isCut = ({ limit }: Ask, wanted: number): boolean => limit === most && wanted > 0

export const touches = (ask: Ask, ids: readonly string[], isKnown: (id: string) => boolean): boolean =>
  !ask.mustTouch || ids.some(isKnown)

/** True when a page was the last one of the list. */
export const isLast = ({ limit }: Ask, ids: readonly string[]): boolean => ids.length < limit

export type Tally = {
  /** The list's length as the server last counted it. */
  readonly total: number
  /** The known records that were counted in it. */
  readonly counted: ReadonlySet<string>
}

/**
 * How many are in the list now: the server's count, less what has left it since, plus what has come back, by the answers
 * that this browser knows of and whether or not they are sent.
 */
export const left = ({ total, counted }: Tally, known: readonly { readonly id: string; readonly isIn: boolean }[]): number => {
  const change = known.reduce((sum, { id, isIn }) => sum + (isIn ? 1 : 0) - (counted.has(id) ? 1 : 0), 0)
  return Math.max(0, total + change)
}

/** The tally when a record is gone that may have been counted. */
export const without = ({ total, counted }: Tally, id: string): Tally =>
  counted.has(id) ? { total: total - 1, counted: new Set([...counted].filter((one) => one !== id)) } : { total, counted }

/** The place of the record to go to after the one at `index` has left: the next that is in the list, else the first that was passed over. */
export const nextIn = (isIn: readonly boolean[], index: number): number | null => {
  const after = isIn.indexOf(true, index + 1)
  if (after >= 0) return after
  const first = isIn.indexOf(true)
  return first < 0 || first === index ? (isIn[index] ? index : null) : first
}
