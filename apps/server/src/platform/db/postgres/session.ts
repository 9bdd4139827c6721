import type { CompiledQuery } from 'kysely'
import type { Db, DialectFunctions } from '../db.ts'
import { together } from '../statements/together.ts'
import type { PacketClient } from './client.ts'
import { kyselyCollecting, kyselyOn } from './driver.ts'
import { tell } from './told.ts'

/** What one operation after the other does on a client, and how each transaction ends. */
export class Session {
  readonly db: Db
  readonly #client: PacketClient
  /** Writes that wait for the commit. */
  #put: CompiledQuery[] = []

  constructor(client: PacketClient, dialect: DialectFunctions) {
    this.#client = client
    const collecting = kyselyCollecting((query) => this.#put.push(query))
    const later: Db = {
      sql: collecting,
      dialect,
      get later() {
        return this
      },
    }
    this.db = { sql: kyselyOn(client), dialect, later }
  }

  /** Carries out the writes that were put off, and commits. @throws the first fault; then nothing was committed */
  async commit(): Promise<void> {
    const put = this.#put
    this.#put = []
    const steps = put.map(({ sql, parameters }) => {
      tell(this.#client, sql, parameters)
      return this.#client.query(sql, [...parameters])
    })
    const [{ command }] = await together([this.#client.query('commit', []), ...steps])
    // NOTE: a transaction in which a statement failed ends as well, but otherwise
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
  }

  /** Ends a transaction that only read: what it read is known, so nobody waits, and the message waits for the next one. */
  leave(): void {
    // NOTE: a broken connection is told to its next user, and an idle one is replaced by the pool
    this.#client.unhurried('commit').catch(() => undefined)
  }

  /** Forgets what was put off, and ends the transaction. @throws a broken connection */
  async rollBack(): Promise<void> {
    this.#put = []
    await this.#client.query('rollback', [])
  }
}
