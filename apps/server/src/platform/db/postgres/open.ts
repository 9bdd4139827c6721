import { Problem, unavailable } from '@postil/contract/wire/errors.ts'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { once } from '../../once.ts'
import type { Db, Sql } from '../db.ts'
import type { Migrating } from '../migrate.ts'
import type { Command, More, Query } from '../operations.ts'
import type { Store, WriteOptions } from '../store.ts'
import { isConnectionFault } from './connection-fault.ts'
import { kyselyOn } from './driver.ts'
import { functionsWith } from './functions.ts'
import { numberTypes } from './number-types.ts'
import { BEGIN_READ, createPool, transactionsOn } from './pool.ts'
import { Replica } from './replica.ts'
import { lackOf } from './resource-fault.ts'
import { migrateOn } from './revisions.ts'
import { StatementNames } from './statement-names.ts'
import { Statistics } from './statistics.ts'
import { textIndex } from './text-index.ts'
import { CONNECT_MS } from './unusable.ts'
import { vectorIndexWith } from './vectors.ts'

export type PostgresOptions = {
  readonly url: string
  /** For migrations where `url` goes through a pooler. */
  readonly directUrl?: string
  /** A server that follows the one of `url`: long reads go there. */
  readonly readUrl?: string
  readonly poolSize?: number
  /** Is told why the server of `readUrl` does not answer what it could, once until it does again. */
  readonly onReplicaAway?: (reason: Error) => void
} & Pick<Migrating, 'onUpgrade'>

const ATTEMPTS = 3
/** Serialisation failure, deadlock, and a unique key that another transaction has just taken: run again. */
const RERUN = new Set(['40001', '40P01', '23505'])

const aloneOn =
  (url: string) =>
  async (work: (sql: Sql) => Promise<void>): Promise<void> => {
    const client = new pg.Client({ connectionString: url, types: numberTypes, connectionTimeoutMillis: CONNECT_MS })
    // NOTE: a connection that breaks fails the statement that waits for it, which says so to the caller
    client.on('error', () => undefined)
    await client.connect()
    try {
      await work(kyselyOn(client))
    } finally {
      await client.end()
    }
  }

const RETRY_SECONDS = 5

const told = (error: unknown): unknown => {
  const lack = lackOf(error)
  if (lack !== null) {
    const { sentence, isFull } = lack
    const detail = `${sentence}; nothing was changed, try again`
    return new Problem({ kind: 'unavailable', detail, retryAfterSeconds: RETRY_SECONDS, ...(isFull && { lacksRoom: sentence }) })
  }
  return isConnectionFault(error) ? unavailable('The database cannot be reached at the moment; try again') : error
}

type Running<R> = Pick<WriteOptions<R>, 'onResult'> & { readonly more?: More }

/** Opens a store on PostgreSQL with pgvector, migrating it first. Rejects with `StoreError` for people. */
export const openPostgres = async (options: PostgresOptions): Promise<Store> => {
  await migrateOn(options.directUrl ?? options.url, { onUpgrade: options.onUpgrade })
  // NOTE: an address beside the pooler's says that there is a pooler, through which names do not last
  const names = new StatementNames(options.directUrl === undefined)
  const poolSize = options.poolSize ?? 15
  const pool = createPool(options.url, { size: poolSize, connectMs: CONNECT_MS, names, directUrl: options.directUrl })
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
  const inTransaction = transactionsOn(pool, dialect)
  const followed = { primary: pool, size: poolSize, dialect, onAway: options.onReplicaAway }
  const replica = options.readUrl === undefined ? null : new Replica(options.readUrl, followed)
  const rerunOn = (error: unknown): boolean => names.giveUp(error) || RERUN.has((error as { code?: string }).code ?? '')

  const runCommand = async <A, R>(command: Command<A, R>, args: A, { onResult, more }: Running<R>): Promise<R> => {
    let tell = (): void => undefined
    return inTransaction(
      'begin',
      async (db) => {
        const result = await command.run(db, args, more)
        tell = () => onResult?.(result)
        return result
      },
      (session) => {
        const committed = session.commit()
        // On its way, before the result is worked with.
        tell()
        return committed
      },
    )
  }
  const write = async <A, R>(command: Command<A, R>, args: A, { more, onResult }: WriteOptions<R> = {}): Promise<R> => {
    const options = { ...(onResult && { onResult }), ...(more && { more: once(() => more().catch(() => null)) }) }
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await runCommand(command, args, options)
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
  const readPrimary = <A, R>(query: Query<A, R>, args: A): Promise<R> =>
    readOnce(query, args)
      .catch((error: unknown) => {
        if (!names.giveUp(error)) throw error
        return readOnce(query, args)
      })
      .catch((error: unknown) => {
        throw told(error)
      })
  /** A statement of this file, alone on a connection. */
  const ask = async <T>(statement: RawBuilder<T>): Promise<T | undefined> => {
    const { rows } = await statement.execute(onPool.sql).catch((error: unknown) => {
      throw told(error)
    })
    return rows[0]
  }
  const read: Store['read'] = async (query, args, options) => {
    // NOTE: what takes long is worth a look at how far the replica is; the page's path is not
    const there = options?.lane === 'slow' ? await replica?.read(query, args) : null
    return there ? there.result : readPrimary(query, args)
  }
  return {
    write,
    read,
    health: async () => {
      const row = await ask(sql<{ version: string; name: string }>`SELECT version() AS version, current_database() AS name`)
      return { engine: 'postgres', version: row?.version ?? '', location: row?.name ?? '' }
    },
    size: async () => {
      const row = await ask(sql<{ bytes: unknown }>`SELECT pg_database_size(current_database()) AS bytes`)
      return Number(row?.bytes ?? 0)
    },
    close: async () => {
      statistics.stop()
      await Promise.all([pool.end(), replica?.close()])
    },
  }
}
