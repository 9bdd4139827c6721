import pg from 'pg'
import type { Db, DialectFunctions } from '../db.ts'
import { clientWith, type PacketClient } from './client.ts'
import { numberTypes } from './number-types.ts'
import { watchPulse } from './pulse.ts'
import { Session } from './session.ts'
import type { StatementNames } from './statement-names.ts'
import { tell } from './told.ts'

export const BEGIN_READ = 'start transaction isolation level repeatable read read only'

type PoolOptions = {
  readonly size: number
  readonly connectMs: number
  readonly names: StatementNames
  /** The database itself, where the address is a pooler's. */
  readonly directUrl?: string | undefined
}

/** What PostgreSQL says where it takes no more connections. */
const NO_MORE = '53300'
/** How long a pool is content with as many connections as it got. */
const CONTENT_MS = 10_000

type Given = (error: Error | undefined, client: pg.PoolClient | undefined, release: (fault?: unknown) => void) => void

/**
 * Has a pool be content with the connections that it has where the database gives no more: whoever wants one waits for one of those, as long as
 * for any. Where there is none of its own, nothing says that waiting helps.
 */
const contentWithWhatIsGiven = (pool: pg.Pool, size: number, connectMs: number): void => {
  // NOTE: the pool's own count has those that are still being asked for
  const had = new Set<pg.PoolClient>()
  pool.on('connect', (client) => had.add(client))
  pool.on('remove', (client) => had.delete(client))
  const connect = pool.connect.bind(pool)
  let more: NodeJS.Timeout | undefined
  const ask = (given: Given, since: number): void =>
    connect((error, client, release) => {
      const takesNoMore = (error as { readonly code?: string } | undefined)?.code === NO_MORE
      if (!takesNoMore || had.size === 0 || performance.now() - since > connectMs) return given(error, client, release)
      pool.options.max = had.size
      clearTimeout(more)
      more = setTimeout(() => {
        pool.options.max = size
      }, CONTENT_MS).unref()
      ask(given, since)
    })
  const asked = (): Promise<pg.PoolClient> =>
    new Promise((resolve, reject) =>
      ask((error, client) => (client === undefined ? reject(error) : resolve(client)), performance.now()),
    )
  pool.connect = ((given?: Given) => (given === undefined ? asked() : ask(given, performance.now()))) as typeof pool.connect
}

/** Connections to one address. */
export const createPool = (url: string, { size, connectMs, names, directUrl = url }: PoolOptions): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types: numberTypes,
    Client: clientWith(names),
    pipeline: true,
    connectionTimeoutMillis: connectMs,
  })
  // NOTE: a connection that breaks must not end the process: an idle one is replaced, one inside a transaction fails its next query
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  contentWithWhatIsGiven(pool, size, connectMs)
  watchPulse(pool, [...new Set([url, directUrl])], connectMs)
  return pool
}

/** Runs work in a transaction on a connection of its own. @param begin the statement that opens it @param end how it is closed */
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
    tell(client, begin, [])
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
}
