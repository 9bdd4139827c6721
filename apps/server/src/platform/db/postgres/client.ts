import pg from 'pg'
import type { StatementNames } from './statement-names.ts'

/** A pool client that can also send statements whose results nobody waits for. */
export type PacketClient = pg.PoolClient & {
  /** Sends a statement whose result nobody waits for. It is sent with the next statement, or alone after a short delay. */
  readonly withoutTimeout: (text: string) => Promise<unknown>
  /** For how many milliseconds the server has sent nothing although responses are outstanding. 0 if none are outstanding. */
  readonly silentFor: () => number
  /** Destroys the connection. Pending statements fail as if the connection had broken. */
  readonly cut: () => void
}

/**
 * How long a statement waits to be sent together with the next one, in milliseconds. Only for statements whose results nobody
 * waits for.
 */
const TIMEOUT_MS = 5

/**
 * A `pg` client that sends simultaneous statements in one packet and names frequent statements (see `StatementNames`). On a busy
 * machine, writing to the socket costs as much as the rest of a statement's work.
 */
export const clientWith = (names: StatementNames): typeof pg.Client =>
  class extends pg.Client {
    /**
     * What the pending packet waits for: the end of this tick, or another statement to send with it. Null if no packet is
     * pending.
     */
    #until: 'tick' | 'company' | null = null
    #patience: NodeJS.Timeout | undefined
    /**
     * Number of outstanding responses. `#heardAt` is the time of the last response. If a statement is sent while no response is
     * outstanding, `#heardAt` is set to the time at which the statement is sent.
     */
    #asked = 0
    #heardAt = 0

    #send(): void {
      clearTimeout(this.#patience)
      this.#until = null
      this.connection.stream.uncork()
    }

    #hold(until: 'tick' | 'company'): void {
      if (this.#until === 'tick' || this.#until === until) return
      if (this.#until === null) this.connection.stream.cork()
      this.#until = until
      if (until === 'company') this.#patience = setTimeout(() => this.#send(), TIMEOUT_MS)
      // Runs after the callbacks of all settled promises, and so after all statements from this tick.
      else process.nextTick(() => this.#send())
    }

    silentFor(): number {
      return this.#asked === 0 ? 0 : performance.now() - this.#heardAt
    }

    cut(): void {
      this.connection.stream.destroy()
    }

    withoutTimeout(text: string): Promise<unknown> {
      this.#hold('company')
      return super.query(text, [])
    }

    // biome-ignore lint/suspicious/noExplicitAny: only one of the many forms of `query` is changed
    override query(...args: any[]): any {
      const [text, values, callback] = args
      const query = super.query as (...of: unknown[]) => unknown
      this.#hold('tick')
      if (typeof text !== 'string' || !Array.isArray(values)) return query.apply(this, args)
      const ask = (answer: (error: Error | undefined, result: pg.QueryResult) => void): void => {
        const onAnswer: typeof answer = (error, result) => {
          this.#asked -= 1
          this.#heardAt = performance.now()
          answer(error, result)
        }
        if (this.#asked === 0) this.#heardAt = performance.now()
        this.#asked += 1
        const pgQuery = new pg.Query(text, values, onAnswer as () => void) as pg.Query & { name?: string }
        const name = names.of(text)
        if (name !== undefined) pgQuery.name = name
        query.call(this, pgQuery)
      }
      if (callback !== undefined) return ask(callback)
      return new Promise((resolve, reject) => {
        ask((error, result) => (error ? reject(error) : resolve(result)))
      })
    }
  }
