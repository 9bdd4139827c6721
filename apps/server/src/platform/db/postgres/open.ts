import { unavailable } from '@postil/contract/errors.ts'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db, Sql } from '../db.ts'
import type { Command, Query } from '../operations.ts'
import type { Store } from '../store.ts'
import { clientWith, type PacketClient } from './client.ts'
import { isConnectionFault } from './connection-fault.ts'
import { kyselyOn } from './driver.ts'
import { functionsWith } from './functions.ts'
import { numberTypes } from './number-types.ts'
import { migrateOn } from './revisions.ts'
import { Session } from './session.ts'
import { StatementNames } from './statement-names.ts'
import { Statistics } from './statistics.ts'
import { textIndex } from './text-index.ts'
import { vectorIndexWith } from './vectors.ts'

export type PostgresOptions = {
  readonly url: string
  /** For migrations where `url` goes through a pooler. */
  readonly directUrl?: string
  readonly poolSize?: number
}

/** How long a request waits for a connection. */
const CONNECT_MS = 15_000
const ATTEMPTS = 3
/** Serialisation failure, deadlock, and a unique key that another transaction has just taken: run again. */
const RERUN = new Set(['40001', '40P01', '23505'])

const BEGIN_READ = 'start transaction isolation level repeatable read read only'

const aloneOn =
  (url: string) =>
  async (work: (sql: Sql) => Promise<void>): Promise<void> => {
    const client = new pg.Client({ connectionString: url, types: numberTypes })
    // NOTE: a connection that breaks fails the statement that waits for it, which says so to the caller
    client.on('error', () => undefined)
    await client.connect()
    try {
      await work(kyselyOn(client))
    } finally {
      await client.end()
    }
  }

const told = (error: unknown): unknown =>
  isConnectionFault(error) ? unavailable('The database cannot be reached at the moment; try again') : error

/** Opens a store on PostgreSQL with pgvector, migrating it first. Rejects with `StoreError` for people. */
export const openPostgres = async (options: PostgresOptions): Promise<Store> => {
  await migrateOn(options.directUrl ?? options.url)
  // NOTE: an address beside the pooler's says that there is a pooler, through which names do not last
  const names = new StatementNames(options.directUrl === undefined)
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 15,
    types: numberTypes,
    Client: clientWith(names),
    pipeline: true,
    connectionTimeoutMillis: CONNECT_MS,
  })
  // NOTE: a connection that breaks must not end the process: an idle one is replaced, one inside a transaction fails its next query
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const statistics = new Statistics(pool)
  const dialect = {
    ...functionsWith(statistics),
    text: textIndex,
    vectors: vectorIndexWith(aloneOn(options.directUrl ?? options.url)),
  }
  const onPool: Db = {
    sql: kyselyOn(pool),
    dialect,
    get later(): Db {
      throw new Error('a read of one statement writes nothing')
    },
  }
  const sessions = new WeakMap<pg.PoolClient, Session>()
  const sessionOn = (client: pg.PoolClient): Session => {
    const session = sessions.get(client) ?? new Session(client as PacketClient, dialect)
    sessions.set(client, session)
    return session
  }

  const inTransaction = async <R>(
    begin: string,
    run: (db: Db) => Promise<R>,
    end: (session: Session) => Promise<void> | void,
  ) => {
    const client = await pool.connect()
    const session = sessionOn(client)
    // NOTE: sent with the first statement, whose failure tells as well
    const begun = client.query(begin, [])
    begun.catch(() => undefined)
    try {
      const result = await run(session.db)
      await begun
      await end(session)
      client.release()
      return result
    } catch (error) {
      await session.rollBack().then(
        () => client.release(),
        (fault: Error) => client.release(fault),
      )
      throw error
    }
  }
  const rerunOn = (error: unknown): boolean => names.giveUp(error) || RERUN.has((error as { code?: string }).code ?? '')

  const write = async <A, R>(command: Command<A, R>, args: A): Promise<R> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await inTransaction(
          'begin',
          (db) => command.run(db, args),
          (session) => session.commit(),
        )
      } catch (error) {
        if (attempt >= ATTEMPTS || !rerunOn(error)) throw told(error)
      }
    }
  }
  const readOnce = <A, R>(query: Query<A, R>, args: A): Promise<R> =>
    query.single
      ? query.run(onPool, args)
      : inTransaction(
          BEGIN_READ,
          (db) => query.run(db, args),
          (session) => session.leave(),
        )
  const read = <A, R>(query: Query<A, R>, args: A): Promise<R> =>
    readOnce(query, args)
      .catch((error: unknown) => {
        if (!names.giveUp(error)) throw error
        return readOnce(query, args)
      })
      .catch((error: unknown) => {
        throw told(error)
      })
  return {
    write,
    read,
    health: async () => {
      const { rows } = await sql<{
        version: string
        name: string
      }>`SELECT version() AS version, current_database() AS name`.execute(onPool.sql)
      const row = rows[0]
      return { engine: 'postgres', version: row?.version ?? '', location: row?.name ?? '' }
    },
    size: async () => {
      const { rows } = await sql<{ bytes: unknown }>`SELECT pg_database_size(current_database()) AS bytes`.execute(onPool.sql)
      return Number(rows[0]?.bytes ?? 0)
    },
    close: async () => {
      statistics.stop()
      await pool.end()
    },
  }
}
