import { bulkLimit } from '#lib/constants.ts'

/**
 * A window onto a changing list on the server. Answered records leave the list, and other records are added or removed. The
 * functions in this module are pure: they compute the next request and interpret its response. Offsets and counts are numbers of
 * records.
 */

/** New pages overlap the loaded records by this many, to detect that the list has shifted. */
const pageOverlap = 3
/** The maximum number of records in one response. */
const maxPageSize = bulkLimit

export type PageRequest = {
  readonly offset: number
  readonly limit: number
  /**
   * Whether the page must contain a record that is already loaded. If it contains none, the list has shifted by more than the
   * overlap.
   */
  readonly mustOverlap: boolean
}

type Known = {
  /** How many records of the list precede the first loaded one. */
  readonly before: number
  /** How many loaded records are still in the server's list. */
  readonly counted: number
  readonly size: number
}

/**
 * Returns the request for the page after the loaded records. The page starts with the last few loaded records, to detect that the
 * list has shifted. It has at most `maxPageSize` records.
 */
export const nextPageRequest = ({ before, counted, size }: Known): PageRequest => {
  const shared = Math.min(pageOverlap, counted)
  return { offset: before + counted - shared, limit: Math.min(maxPageSize, size + shared), mustOverlap: shared > 0 }
}

/**
 * Returns the next request to send if the page of the given request contained no loaded records. The new page starts earlier in
 * the list, so repeated calls eventually reach the start. The shift is at most half of the maximum page size, so that the new
 * page overlaps the previous one and includes the records after the loaded ones.
 */
export const earlierPageRequest = ({ offset, limit }: PageRequest): PageRequest => {
  const shift = Math.min(offset, limit * 2, maxPageSize / 2)
  return { offset: offset - shift, limit: Math.min(maxPageSize, limit + shift), mustOverlap: offset - shift > 0 }
}

/** Whether more records were needed than one request can return. */
export const isTruncated = ({ limit }: PageRequest, missing: number): boolean => limit === maxPageSize && missing > 0

export const overlapsKnown = (request: PageRequest, ids: readonly string[], isKnown: (id: string) => boolean): boolean =>
  !request.mustOverlap || ids.some(isKnown)

/** Whether a page was the last one of the list. */
export const isLast = ({ limit }: PageRequest, ids: readonly string[]): boolean => ids.length < limit

export type ServerCount = {
  /** The length of the list when the server last counted it. */
  readonly total: number
  /** The loaded records that were included in the count. */
  readonly counted: ReadonlySet<string>
  /** Whether this device has counted the records. Its count leaves out records with unsent answers. */
  readonly isFromDevice?: boolean
}

/**
 * Returns the current length of the list: the server's count, minus records that have left the list, plus records that have
 * returned to it. Takes into account all answers in this browser, sent or not.
 */
export const remainingCount = (
  { total, counted }: ServerCount,
  known: readonly { readonly id: string; readonly isIn: boolean }[],
): number => {
  const change = known.reduce((sum, { id, isIn }) => sum + (isIn ? 1 : 0) - (counted.has(id) ? 1 : 0), 0)
  return Math.max(0, total + change)
}

/** Returns the count after a record was deleted. The count decreases only if it included the record. */
export const withoutRecord = (count: ServerCount, id: string): ServerCount => {
  const { total, counted } = count
  return counted.has(id) ? { ...count, total: total - 1, counted: new Set([...counted].filter((one) => one !== id)) } : count
}

/**
 * Returns the index of the record to show after the one at `index`: the next record in the list or, if there is none, the
 * first. Null if no record is left.
 */
export const nextOpenIndex = (isIn: readonly boolean[], index: number): number | null => {
  const after = isIn.indexOf(true, index + 1)
  if (after >= 0) return after
  const first = isIn.indexOf(true)
  return first < 0 || first === index ? (isIn[index] ? index : null) : first
}
