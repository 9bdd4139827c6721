import { sql } from 'kysely'

/**
 * Record numbers as one string, such as `1,5,9`. This is the fastest way to return a hundred thousand record numbers from either
 * engine. The query must select from a source with a column `seq`. Null if there are no rows.
 */
export const seqList = sql<string | null>`string_agg(cast(seq as text), ',')`

/** Calls `visit` for every number of a list. */
export const forEachSeq = (list: string, visit: (seq: number) => void): void => {
  let value = 0
  for (let at = 0; at < list.length; at++) {
    const code = list.charCodeAt(at)
    if (code === 0x2c) {
      visit(value)
      value = 0
    } else value = value * 10 + (code - 0x30)
  }
  if (list.length > 0) visit(value)
}
