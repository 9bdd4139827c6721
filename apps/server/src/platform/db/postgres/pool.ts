import pg from 'pg'
import type { Db, DialectFunctions } from '../db.ts'
import { clientWith, type PacketClient } from './client.ts'
import { numberTypes } from './number-types.ts'
import { Session } from './session.ts'
import { publishStatement } from './statement-channel.ts'
import type { StatementNames } from './statement-names.ts'

/** Whether the server accepts a connection, or at least gives a reason for refusing it. */
const isAlive = async (connectionString: string, ms: number): Promise<boolean> => {
  const visitor = new pg.Client({ connectionString, connectionTimeoutMillis: ms })
  visitor.on('error', () => undefined)
  let isHeard = true
  await visitor.connect().catch(({ message }: Error) => {
    isHeard = message !== 'timeout expired'
  })
  visitor.end().catch(() => undefined)
  return isHeard
}

/**
 * Closes silent connections if the server is frozen. A frozen server accepts connections but never answers, so callers would wait
 * forever. A long statement causes the same silence and may take any amount of time. Silent connections are therefore closed only
 * if a new connection gets no answer either.
 * @param urls where to try new connections. At least one must bypass the pooler, because a pooler accepts connections even if the
 * server is frozen
 * @param ms how long a connection may be silent, in milliseconds. Also the timeout for each check
 */
const watchPulse = (pool: pg.Pool, urls: readonly string[], ms: number): void => {
  const clients = new Set<PacketClient>()
  let isChecking = false
  const checkPeer = async (): Promise<void> => {
    const silent = () => [...clients].filter((client) => client.silentFor() > ms)
    if (isChecking || silent().length === 0) return
    isChecking = true
    const before = silent()
    const answers = await Promise.all(urls.map((url) => isAlive(url, ms)))
    const isFrozen = answers.includes(false)
    // A response received during the check shows that the server is alive.
    if (isFrozen && before.every((client) => client.silentFor() > ms || !clients.has(client)))
      for (const client of silent()) client.cut()
    isChecking = false
  }
  const timer = setInterval(() => (pool.ending ? clearInterval(timer) : void checkPeer()), ms / 3).unref()
  pool.on('connect', (client) => clients.add(client as PacketClient))
  pool.on('remove', (client) => clients.delete(client as PacketClient))
}

export const BEGIN_READ = 'start transaction isolation level repeatable read read only'

type PoolOptions = {
  readonly size: number
  readonly connectMs: number
  readonly names: StatementNames
  /** The database's own URL if `url` is a pooler's. */
  readonly directUrl?: string | undefined
}

/** PostgreSQL's error code for too many connections. */
const NO_MORE = '53300'
/** How long a pool keeps its limit lowered after the database has refused more connections. */
const CONTENT_MS = 10_000

type CheckoutCallback = (error: Error | undefined, client: pg.PoolClient | undefined, release: (fault?: unknown) => void) => void

/**
 * If the database refuses more connections, callers wait for one of the pool's existing connections, up to the usual timeout. If
 * the pool has no connections, the refusal is passed on, because waiting might not help.
 */
const acceptFaultyCheckout = (pool: pg.Pool, size: number, connectMs: number): void => {
  // The open connections. The pool's own count includes those that are still being opened.
  const sessionCount = new Set<pg.PoolClient>()
  pool.on('connect', (client) => sessionCount.add(client))
  pool.on('remove', (client) => sessionCount.delete(client))
  const connect = pool.connect.bind(pool)
  let more: NodeJS.Timeout | undefined
  const ask = (onCheckout: CheckoutCallback, since: number): void =>
    connect((error, client, release) => {
      const takesNoMore = (error as { readonly code?: string } | undefined)?.code === NO_MORE
      if (!takesNoMore || sessionCount.size === 0 || performance.now() - since > connectMs)
        return onCheckout(error, client, release)
      pool.options.max = sessionCount.size
      clearTimeout(more)
      more = setTimeout(() => {
        pool.options.max = size
      }, CONTENT_MS).unref()
      ask(onCheckout, since)
    })
  const checkOut = (): Promise<pg.PoolClient> =>
    new Promise((resolve, reject) =>
      ask((error, client) => (client === undefined ? reject(error) : resolve(client)), performance.now()),
    )
  pool.connect = ((onCheckout?: CheckoutCallback) =>
    onCheckout === undefined ? checkOut() : ask(onCheckout, performance.now())) as typeof pool.connect
}

/** Creates a connection pool for one URL. */
export const createPool = (url: string, { size, connectMs, names, directUrl = url }: PoolOptions): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types: numberTypes,
    Client: clientWith(names),
    pipeline: true,
    connectionTimeoutMillis: connectMs,
  })
  // A broken connection must not end the process. A broken idle connection is replaced. In a transaction, the next query on a
  // broken connection fails.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  acceptFaultyCheckout(pool, size, connectMs)
  watchPulse(pool, [...new Set([url, directUrl])], connectMs)
  return pool
}

/**
 * Runs work in a transaction on its own connection.
 * @param begin statement that opens the transaction
 * @param end function that closes it
 */
export type InTransaction = <R>(
  begin: string,
  run: (db: Db) => Promise<R>,
  end: (session: Session) => Promise<void> | void,
) => Promise<R>

export const transactionsOn = (pool: pg.Pool, dialect: DialectFunctions): InTransaction => {
  const sessions = new WeakMap<pg.PoolClient, Session>()
  const sessionOn = (client: pg.PoolClient): Session => {
    const session = sessions.get(client) ?? new Session(client as PacketClient, dialect)
    sessions.set(client, session)
    return session
  }
  return async (begin, run, end) => {
    const client = await pool.connect()
    const session = sessionOn(client)
    publishStatement(client, begin, [])
    // `begin` is sent together with the first statement. If it fails, the first statement fails too.
    const started = client.query(begin, [])
    started.catch(() => undefined)
    try {
      const result = await run(session.db)
      await started
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
}
