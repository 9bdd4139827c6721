import type { CompiledQuery } from 'kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type pg from 'pg'
import { decodeRows } from '../codecs.ts'
import type { Sql } from '../db.ts'
import { kyselyOn as kyselyBy, type Parts } from '../statements/kysely-on.ts'
import { tell } from './told.ts'

type Asked = Pick<pg.ClientBase, 'query'>

const WRITES = /^\s*(insert|update|delete)\b/i
const RETURNING = /\breturning\b/i
const COUNTED = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

const parts: Parts = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}

/** A Kysely that carries nothing out: it gives each write away. A read is refused, because it would find nothing. */
export const kyselyCollecting = (take: (query: CompiledQuery) => void): Sql =>
  kyselyBy((query) => {
    if (!WRITES.test(query.sql) || RETURNING.test(query.sql)) {
      return Promise.reject(new Error('only writes whose outcome nobody reads can be put off'))
    }
    take(query)
    return Promise.resolve({ rows: [] })
  }, parts)

/**
 * A Kysely on a client, or on a pool for reads of one statement. It does not wait for one statement before it sends the next:
 * those that are asked for together travel together.
 */
export const kyselyOn = (client: Asked): Sql =>
  kyselyBy(async ({ sql, parameters }) => {
    tell(client, sql, parameters)
    const { command, rowCount, rows } = await client.query(sql, [...parameters])
    decodeRows(rows)
    return COUNTED.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
  }, parts)
