import pg from 'pg'
import type { StatementNames } from './statement-names.ts'

/** A client of the pool, with a way to say what nobody waits for. */
export type PacketClient = pg.PoolClient & {
  /** Asks for something that nobody waits for: it travels with what is asked next, or alone soon after. */
  readonly unhurried: (text: string) => Promise<unknown>
  /** How long it has heard nothing of what it has asked for, in milliseconds; 0 where it waits for nothing. */
  readonly silentFor: () => number
  /** Ends the connection without a word: whoever waits for it is told that it broke. */
  readonly cut: () => void
}

/** How long something that nobody waits for waits for company. */
const PATIENCE_MS = 5

/**
 * A client of `pg` that names what it sends often, and that sends in one packet what is asked for at the same time: on a
 * busy machine, writing to the socket costs as much as everything else that a statement needs.
 */
export const clientWith = (names: StatementNames): typeof pg.Client =>
  class extends pg.Client {
    /** What the packet in the making waits for; null when there is none. */
    #until: 'tick' | 'company' | null = null
    #patience: NodeJS.Timeout | undefined
    /** Answers that are waited for, and when the last one came or the first of them was asked for. */
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
      if (until === 'company') this.#patience = setTimeout(() => this.#send(), PATIENCE_MS)
      // NOTE: after all promises that are settled now have run, so after everything that is asked for at once
      else process.nextTick(() => this.#send())
    }

    silentFor(): number {
      return this.#asked === 0 ? 0 : performance.now() - this.#heardAt
    }

    cut(): void {
      this.connection.stream.destroy()
    }

    unhurried(text: string): Promise<unknown> {
      this.#hold('company')
      return super.query(text, [])
    }

    // biome-ignore lint/suspicious/noExplicitAny: one of the many forms of `query`, the others pass through
    override query(...args: any[]): any {
      const [text, values, callback] = args
      const query = super.query as (...of: unknown[]) => unknown
      this.#hold('tick')
      if (typeof text !== 'string' || !Array.isArray(values)) return query.apply(this, args)
      const ask = (answer: (error: Error | undefined, result: pg.QueryResult) => void): void => {
        const heard: typeof answer = (error, result) => {
          this.#asked -= 1
          this.#heardAt = performance.now()
          answer(error, result)
        }
        if (this.#asked === 0) this.#heardAt = performance.now()
        this.#asked += 1
        const asked = new pg.Query(text, values, heard as () => void) as pg.Query & { name?: string }
        const name = names.of(text)
        if (name !== undefined) asked.name = name
        query.call(this, asked)
      }
      if (callback !== undefined) return ask(callback)
      return new Promise((resolve, reject) => {
        ask((error, result) => (error ? reject(error) : resolve(result)))
      })
    }
  }
