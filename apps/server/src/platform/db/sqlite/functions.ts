import type { SQLInputValue } from 'node:sqlite'
import { sql } from 'kysely'
import type { StatementFunctions } from '../db.ts'
import type { Statements } from './driver.ts'

const plain = (value: unknown): SQLInputValue => {
  if (typeof value === 'boolean') return value ? 1 : 0
  return value === undefined ? null : (value as SQLInputValue)
}

/** The functions on one connection. Rows go straight to prepared statements: half of a bulk's time is here. */
export const functionsOn = (statements: Statements, putOff: StatementFunctions['putOff']): StatementFunctions => ({
  putOff,
  insertMany: async (_sql, table, rows, options) => {
    const first = rows[0]
    if (first === undefined) return
    const columns = Object.keys(first)
    const verb = options?.ignoreConflicts === true ? 'insert or ignore' : 'insert'
    const names = columns.map((column) => `"${column}"`).join(', ')
    statements.insert(
      { into: `${verb} into "${table}" (${names})` },
      columns.length,
      rows as readonly { readonly [column: string]: unknown }[],
      (row, values) => {
        // NOTE: these tables turn whole doubles into integers themselves, and making so many BigInts takes its time
        for (const column of columns) values.push(plain(row[column]))
      },
    )
  },
  forUpdate: (query) => query,
  forShare: (query) => query,
  skipLocked: (query) => query,
  takeTurn: () => Promise.resolve(),
  shareTurn: () => sql`true`,
  now: sql`cast(unixepoch('subsec') * 1000000 as integer)`,
  listed: (numbers) => sql`(select value from json_each(${JSON.stringify(numbers)}))`,
  sent: () => Promise.resolve(),
  commitUnsynced: () => Promise.resolve(),
  each: (values) => sql`json_each(${JSON.stringify(values)}) as each`,
})
