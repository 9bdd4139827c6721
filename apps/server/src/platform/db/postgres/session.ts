import type { CompiledQuery } from 'kysely'
import type { Db, DialectFunctions } from '../db.ts'
import { pipeline } from '../statements/pipeline.ts'
import type { PacketClient } from './client.ts'
import { kyselyCollecting, kyselyOn } from './driver.ts'
import { publishStatement } from './statement-channel.ts'

/** Runs one transaction after another on a client. */
export class Session {
  readonly db: Db
  readonly #client: PacketClient
  /** Writes that are sent with the commit. */
  #put: CompiledQuery[] = []

  constructor(client: PacketClient, dialect: DialectFunctions) {
    this.#client = client
    const collecting = kyselyCollecting((query) => this.#put.push(query))
    const atCommit: Db = {
      sql: collecting,
      dialect,
      get atCommit() {
        return this
      },
    }
    this.db = { sql: kyselyOn(client), dialect, atCommit }
  }

  /** Sends the deferred writes and commits. @throws the first error, in which case nothing was committed */
  async commit(): Promise<void> {
    const bufferStatement = this.#put
    this.#put = []
    const steps = bufferStatement.map(({ sql, parameters }) => {
      publishStatement(this.#client, sql, parameters)
      return this.#client.query(sql, [...parameters])
    })
    const [{ command }] = await pipeline([this.#client.query('commit', []), ...steps])
    // COMMIT succeeds even after a failed statement, but reports ROLLBACK.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
  }

  /**
   * Ends a read-only transaction. The results are already known, so the commit isn't awaited. It is sent with the next statement.
   */
  leave(): void {
    // Ignores errors. If the connection is broken, its next user gets an error. If the connection is idle, the pool replaces it.
    this.#client.withoutTimeout('commit').catch(() => undefined)
  }

  /** Discards the deferred writes and rolls back. @throws an error if the connection is broken */
  async rollBack(): Promise<void> {
    this.#put = []
    await this.#client.query('rollback', [])
  }
}
