import { createHash } from 'node:crypto'

/**
 * Number of runs after which a statement is prepared. A prepared statement is parsed once per connection instead of at every
 * call.
 */
const OFTEN = 3
/** Maximum number of prepared statements. Limits the memory that they use in the client and in the server for each connection. */
const MAX_NAMED = 400
const MAX_COUNTED = 1000
/** Maximum length of a prepared statement. Longer statements contain lists of values and rarely repeat. */
const MAX_LENGTH = 8000

/**
 * After one of these error codes, statements are sent without names:
 * - `26000` and `42P05`: a pooler gave the connection to another client. The server doesn't know a name, or the name already
 *   exists.
 * - `0A000`: a migration ran, and the server's plan for a name is outdated.
 */
const UNNAMED_AGAIN = new Set(['26000', '42P05', '0A000'])

/**
 * Names frequent statements so that the server parses and plans them once per connection. Parsing and planning are half of the
 * server's work for a request. A name is derived from the text, so two processes behind one pooler can't use it for different
 * statements.
 */
export class StatementNames {
  readonly #counts = new Map<string, number>()
  readonly #names = new Map<string, string>()
  #isOn: boolean
  constructor(isOn: boolean) {
    this.#isOn = isOn
  }

  get isOn(): boolean {
    return this.#isOn
  }

  of(text: string): string | undefined {
    if (!this.#isOn || text.length > MAX_LENGTH) return undefined
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= MAX_NAMED) return known
    const count = (this.#counts.get(text) ?? 0) + 1
    if (count < OFTEN) {
      if (this.#counts.size >= MAX_COUNTED) this.#counts.clear()
      this.#counts.set(text, count)
      return undefined
    }
    this.#counts.delete(text)
    const name = `postil_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
    this.#names.set(text, name)
    return name
  }

  /** Whether prepared statement names caused the error. If so, stops using names. */
  giveUp(error: unknown): boolean {
    if (!this.#isOn || !UNNAMED_AGAIN.has((error as { code?: string }).code ?? '')) return false
    this.#isOn = false
    return true
  }
}
