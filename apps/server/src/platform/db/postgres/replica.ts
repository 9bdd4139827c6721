import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '@postil/contract/wire/errors.ts'
import type pg from 'pg'
import type { DialectFunctions } from '../db.ts'
import type { Query } from '../operations.ts'
import { BEGIN_READ, createPool, type InTransaction, transactionsOn } from './pool.ts'
import { StatementNames } from './statement-names.ts'

/** How long a read waits for the replica to have what the primary has; then the primary answers it. */
const PATIENCE_MS = 1000
const LOOK_MS = 20
const CONNECT_MS = 2000
/** How long nobody asks a replica that could not be reached. */
const REST_MS = 5000

/**
 * A server that follows the primary and answers what only reads. A read goes there only when it has everything that the primary
 * had confirmed when the read was asked for: nobody ever misses what they, or anybody else, wrote before.
 */
export class Replica {
  readonly #pool: pg.Pool
  readonly #primary: Pick<pg.Pool, 'query'>
  readonly #inTransaction: InTransaction
  readonly #names = new StatementNames(true)
  readonly #onAway: (reason: Error) => void
  #restUntil = 0
  #isAway = false

  constructor(
    url: string,
    {
      primary,
      size,
      dialect,
      onAway = () => undefined,
    }: {
      readonly primary: Pick<pg.Pool, 'query'>
      readonly size: number
      readonly dialect: DialectFunctions
      /** Is told why reads are not answered here, once until one is again. */
      readonly onAway?: ((reason: Error) => void) | undefined
    },
  ) {
    this.#primary = primary
    this.#onAway = onAway
    this.#pool = createPool(url, { size, connectMs: CONNECT_MS, names: this.#names })
    this.#inTransaction = transactionsOn(this.#pool, dialect)
  }

  /** Waits until it has what the primary has now. NOTE: a server that follows nobody has replayed nothing, and says null. @throws Error */
  async #catchUp(): Promise<void> {
    const { rows } = await this.#primary.query<{ at: string }>('select pg_current_wal_lsn()::text as at', [])
    const end = performance.now() + PATIENCE_MS
    for (;;) {
      const seen = await this.#pool.query<{ has: boolean | null }>('select pg_last_wal_replay_lsn() >= $1::pg_lsn as has', [
        rows[0]?.at,
      ])
      if (seen.rows[0]?.has === true) return
      if (seen.rows[0]?.has !== false) throw new Error('it follows no other server')
      if (performance.now() > end) throw new Error('it is late')
      await pause(LOOK_MS)
    }
  }

  /**
   * @returns null when the primary has to answer: the replica is late, gone, or ended the read to follow on
   * @throws Problem of the query
   */
  async read<A, R>(query: Query<A, R>, args: A): Promise<{ readonly result: R } | null> {
    if (performance.now() < this.#restUntil) return null
    try {
      await this.#catchUp()
      const result = await this.#inTransaction(
        BEGIN_READ,
        (db) => query.run(db, args),
        (session) => session.leave(),
      )
      this.#isAway = false
      return { result }
    } catch (error) {
      if (error instanceof Problem) throw error
      // A pooler in between has lost the names: without them it answers the next read.
      if (this.#names.giveUp(error)) return null
      this.#restUntil = performance.now() + REST_MS
      if (!this.#isAway) this.#onAway(error as Error)
      this.#isAway = true
      return null
    }
  }

  /** Waits for what runs, then closes. */
  async close(): Promise<void> {
    await this.#pool.end()
  }
}
