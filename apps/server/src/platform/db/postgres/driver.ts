import type { CompiledQuery } from 'kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type pg from 'pg'
import { decodeRows } from '../codecs.ts'
import type { Sql } from '../db.ts'
import { kyselyOn as kyselyBy, type Parts } from '../statements/kysely-on.ts'
import { publishStatement } from './statement-channel.ts'

type Querier = Pick<pg.ClientBase, 'query'>

const WRITES = /^\s*(insert|update|delete)\b/i
const RETURNING = /\breturning\b/i
const COUNTED = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

const parts: Parts = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}

/** A Kysely instance that passes each write to `take` instead of running it. It refuses reads, which would find nothing. */
export const kyselyCollecting = (take: (query: CompiledQuery) => void): Sql =>
  kyselyBy((query) => {
    if (!WRITES.test(query.sql) || RETURNING.test(query.sql)) {
      return Promise.reject(new Error('only writes whose result is not used can be deferred'))
    }
    take(query)
    return Promise.resolve({ rows: [] })
  }, parts)

/**
 * A Kysely instance on a client, or on a pool for single-statement reads. It sends a statement without waiting for the previous
 * one, so concurrent statements are pipelined.
 */
export const kyselyOn = (client: Querier): Sql =>
  kyselyBy(async ({ sql, parameters }) => {
    publishStatement(client, sql, parameters)
    const { command, rowCount, rows } = await client.query(sql, [...parameters])
    decodeRows(rows)
    return COUNTED.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
  }, parts)
