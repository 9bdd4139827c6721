import { type RawBuilder, sql } from 'kysely'

/**
 * An SQL expression that joins the pairs of all rows into one string, such as `1 7,2 9`. Each pair consists of a row's `seq` and
 * its integer in the column `number`, which is at most 2³².
 */
export const pairList = (number: string): RawBuilder<string | null> =>
  sql<string | null>`string_agg(cast(seq as text) || ' ' || cast(${sql.ref(number)} as text), ',')`

/** Calls `visit` with every pair. */
export const forEachPair = (list: string, visit: (seq: number, number: number) => void): void => {
  let seq = 0
  let value = 0
  for (let at = 0; at < list.length; at++) {
    const code = list.charCodeAt(at)
    if (code === 0x20) {
      seq = value
      value = 0
    } else if (code === 0x2c) {
      visit(seq, value)
      value = 0
    } else value = value * 10 + (code - 0x30)
  }
  if (list.length > 0) visit(seq, value)
}
