import { Problem, unavailable } from '@postil/contract/wire/errors.ts'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { once } from '../../once.ts'
import type { Db, Sql } from '../db.ts'
import type { Migrating } from '../migrate.ts'
import type { Command, Query } from '../operations.ts'
import type { Store, WriteOptions } from '../store.ts'
import { clusterSize, describeCluster } from './cluster.ts'
import { isConnectionFault, resourceFaultOf } from './connection-fault.ts'
import { kyselyOn } from './driver.ts'
import { functionsWith } from './functions.ts'
import { numberTypes } from './number-types.ts'
import { BEGIN_READ, createPool, transactionsOn } from './pool.ts'
import { Replica } from './replica.ts'
import { migrateOn } from './revisions.ts'
import { StatementNames } from './statement-names.ts'
import { Statistics } from './statistics.ts'
import { textIndex } from './text-index.ts'
import { CONNECT_MS } from './unusable.ts'
import { vectorIndexWith } from './vectors.ts'

type PostgresOptions = {
  readonly url: string
  /** Used for migrations if `url` goes through a pooler. */
  readonly directUrl?: string
  /** A read replica of `url`, used for long reads. */
  readonly readUrl?: string
  readonly poolSize?: number
  /** Called when the server at `readUrl` doesn't respond. Not called again until that server has responded. */
  readonly onReplicaAway?: (reason: Error) => void
} & Pick<Migrating, 'onUpgrade'>

const ATTEMPTS = 3
/**
 * Error codes after which the command is run again: serialization failure, deadlock, or a unique key that a concurrent
 * transaction just inserted.
 */
const RERUN = new Set(['40001', '40P01', '23505'])
/** The codes in `RERUN` for errors that other commands cause. The request may succeed a little later. */
const CONTENTION = new Set(['40001', '40P01'])

const runOnOwnConnection =
  (url: string) =>
  async (work: (sql: Sql) => Promise<void>): Promise<void> => {
    const client = new pg.Client({ connectionString: url, types: numberTypes, connectionTimeoutMillis: CONNECT_MS })
    // If a connection breaks, its pending statement reports the error to the caller. This event can therefore be ignored.
    client.on('error', () => undefined)
    await client.connect()
    try {
      await work(kyselyOn(client))
    } finally {
      await client.end()
    }
  }

const RETRY_SECONDS = 5

const asStoreError = (error: unknown): unknown => {
  const resourceFault = resourceFaultOf(error)
  if (resourceFault !== null) {
    const { sentence, isFull } = resourceFault
    const detail = `${sentence}. Nothing was changed. Try again`
    return new Problem({
      kind: 'unavailable',
      detail,
      cause: sentence,
      retryAfterSeconds: RETRY_SECONDS,
      ...(isFull && { lacksRoom: sentence }),
    })
  }
  if (CONTENTION.has((error as { readonly code?: string }).code ?? ''))
    return new Problem({
      kind: 'unavailable',
      detail: 'The database is handling too many requests for the same data. Nothing was changed. Try again',
      retryAfterSeconds: 1,
    })
  return isConnectionFault(error) ? unavailable('The database is unavailable. Try again') : error
}

/**
 * Opens a store on PostgreSQL with pgvector, after migrating its schema. Rejects with a `StoreError` whose message is for
 * users.
 */
export const openPostgres = async (options: PostgresOptions): Promise<Store> => {
  await migrateOn(options.directUrl ?? options.url, { onUpgrade: options.onUpgrade })
  // A separate direct URL means that `url` belongs to a pooler, where prepared statements don't persist.
  const names = new StatementNames(options.directUrl === undefined)
  const poolSize = options.poolSize ?? 15
  const pool = createPool(options.url, { size: poolSize, connectMs: CONNECT_MS, names, directUrl: options.directUrl })
  const statistics = new Statistics(pool)
  const dialect = {
    ...functionsWith(statistics),
    text: textIndex,
    vectors: vectorIndexWith(runOnOwnConnection(options.directUrl ?? options.url)),
  }
  const onPool: Db = {
    sql: kyselyOn(pool),
    dialect,
    get atCommit(): Db {
      throw new Error('a single-statement read cannot write')
    },
  }
  const inTransaction = transactionsOn(pool, dialect)
  const followed = { primary: pool, size: poolSize, dialect, onAway: options.onReplicaAway }
  const replica = options.readUrl === undefined ? null : new Replica(options.readUrl, followed)
  const shouldRerun = (error: unknown): boolean => names.giveUp(error) || RERUN.has((error as { code?: string }).code ?? '')

  const write = async <A, R>(command: Command<A, R>, args: A, { lateInput }: WriteOptions = {}): Promise<R> => {
    const inputOnce = lateInput && once(() => lateInput().catch(() => null))
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await inTransaction(
          'begin',
          (db) => command.run(db, args, inputOnce),
          (session) => session.commit(),
        )
      } catch (error) {
        if (attempt >= ATTEMPTS || !shouldRerun(error)) throw asStoreError(error)
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
        throw asStoreError(error)
      })
  /** Runs one of this file's statements outside a transaction. */
  const queryRow = async <T>(statement: RawBuilder<T>): Promise<T | undefined> => {
    const { rows } = await statement.execute(onPool.sql).catch((error: unknown) => {
      throw asStoreError(error)
    })
    return rows[0]
  }
  const read: Store['read'] = async (query, args, options) => {
    // Checking the replica's progress is only worthwhile for slow reads, not for the web app's short ones.
    const fromReplica = options?.lane === 'slow' ? await replica?.read(query, args) : null
    return fromReplica ? fromReplica.result : readPrimary(query, args)
  }
  return {
    write,
    read,
    health: async () => {
      const row = await queryRow(sql<{ version: string; name: string }>`SELECT version() AS version, current_database() AS name`)
      return { engine: 'postgres', version: row?.version ?? '', location: row?.name ?? '' }
    },
    size: async () => {
      const ofCluster = await clusterSize(onPool.sql).catch((error: unknown) => {
        throw asStoreError(error)
      })
      if (ofCluster !== null) return ofCluster
      const row = await queryRow(sql<{ bytes: unknown }>`SELECT pg_database_size(current_database()) AS bytes`)
      return Number(row?.bytes ?? 0)
    },
    cluster: () =>
      describeCluster(onPool.sql).catch((error: unknown) => {
        throw asStoreError(error)
      }),
    close: async () => {
      statistics.stop()
      await Promise.all([pool.end(), replica?.close()])
    },
  }
}
