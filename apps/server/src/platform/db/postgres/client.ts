import pg from 'pg'
import type { StatementNames } from './statement-names.ts'

/**
 * A client of `pg` that names what it sends often, and that sends in one packet what is asked for at the same time: on a
 * busy machine, writing to the socket costs as much as everything else that a statement needs.
 */
export const clientWith = (names: StatementNames): typeof pg.Client =>
  class extends pg.Client {
    #isHeld = false

    #hold(): void {
      if (this.#isHeld) return
      this.#isHeld = true
      const { stream } = this.connection
      stream.cork()
      // NOTE: after all promises that are settled now have run, so after everything that is asked for at once
      process.nextTick(() => {
        this.#isHeld = false
        stream.uncork()
      })
    }

    // biome-ignore lint/suspicious/noExplicitAny: one of the many forms of `query`, the others pass through
    override query(...args: any[]): any {
      const [text, values, ...rest] = args
      const query = super.query as (...of: unknown[]) => unknown
      if (typeof text !== 'string' || !Array.isArray(values)) return query.apply(this, args)
      this.#hold()
      const name = names.of(text)
      return query.call(this, { ...(name !== undefined && { name }), text, values }, ...rest)
    }
  }
