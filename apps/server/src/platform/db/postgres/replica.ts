import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '@postil/contract/wire/errors.ts'
import type pg from 'pg'
import type { DialectFunctions } from '../db.ts'
import type { Query } from '../operations.ts'
import { BEGIN_READ, createPool, type InTransaction, transactionsOn } from './pool.ts'
import { StatementNames } from './statement-names.ts'

/** How long a read waits for the replica to catch up before the primary answers the read instead. */
const TIMEOUT_MS = 1000
const CHECK_INTERVAL_MS = 20
const CONNECT_MS = 2000
/** How long to wait before trying an unreachable replica again. */
const PAUSE_MS = 5000

/**
 * A replica that answers read-only operations. A read goes to the replica only if the replica has everything that the primary had
 * committed at the time of the request. No read therefore misses an earlier write.
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
      /** Called with the reason when the replica stops answering. Not called again until the replica has answered. */
      readonly onAway?: ((reason: Error) => void) | undefined
    },
  ) {
    this.#primary = primary
    this.#onAway = onAway
    this.#pool = createPool(url, { size, connectMs: CONNECT_MS, names: this.#names })
    this.#inTransaction = transactionsOn(this.#pool, dialect)
  }

  /**
   * Waits until the replica has everything that the primary has now.
   * @throws Error if the replica doesn't catch up in time, or if the server is not a replica. In the second case, its replay
   * position is null
   */
  async #catchUp(): Promise<void> {
    const { rows } = await this.#primary.query<{ at: string }>('select pg_current_wal_lsn()::text as at', [])
    const end = performance.now() + TIMEOUT_MS
    for (;;) {
      const seen = await this.#pool.query<{ has: boolean | null }>('select pg_last_wal_replay_lsn() >= $1::pg_lsn as has', [
        rows[0]?.at,
      ])
      if (seen.rows[0]?.has === true) return
      if (seen.rows[0]?.has !== false) throw new Error('it is not a replica')
      if (performance.now() > end) throw new Error('it is behind the primary')
      await pause(CHECK_INTERVAL_MS)
    }
  }

  /**
   * @returns null if the primary must answer: the replica is late or unreachable, or it canceled the read to keep replicating
   * @throws Problem from the query
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
      // If a pooler has lost the prepared statements, later reads don't use any.
      if (this.#names.giveUp(error)) return null
      this.#restUntil = performance.now() + PAUSE_MS
      if (!this.#isAway) this.#onAway(error as Error)
      this.#isAway = true
      return null
    }
  }

  /** Waits for running reads, then closes. */
  async close(): Promise<void> {
    await this.#pool.end()
  }
}
