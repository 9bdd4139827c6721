import type { SQLInputValue } from 'node:sqlite'
import { sql } from 'kysely'
import type { StatementFunctions } from '../db.ts'
import type { Statements } from './driver.ts'

const plain = (value: unknown): SQLInputValue => {
  if (typeof value === 'boolean') return value ? 1 : 0
  return value === undefined ? null : (value as SQLInputValue)
}

const listedBy = (parameter: unknown) => sql<number>`(select value from json_each(${parameter}))`

/**
 * The functions for one connection. Rows go directly to prepared statements, because inserting rows takes half of a bulk
 * operation's time.
 */
export const functionsOn = (statements: Statements, defer: StatementFunctions['defer']): StatementFunctions => ({
  defer,
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
        // Columns of these tables store whole doubles as integers, so numbers don't have to be converted to BigInt, which is
        // slow.
        for (const column of columns) values.push(plain(row[column]))
      },
    )
  },
  forUpdate: (query) => query,
  skipLocked: (query) => query,
  acquireLock: () => Promise.resolve(),
  shareLocks: () => Promise.resolve(),
  tryShareLock: () => Promise.resolve(true),
  now: sql`cast(unixepoch('subsec') * 1000000 as integer)`,
  listed: (numbers) => listedBy(JSON.stringify(numbers)),
  listValue: (numbers) => JSON.stringify(numbers),
  listedBy,
  flush: () => Promise.resolve(),
  commitUnsynced: () => Promise.resolve(),
  each: (values) => sql`json_each(${JSON.stringify(values)}) as each`,
})
