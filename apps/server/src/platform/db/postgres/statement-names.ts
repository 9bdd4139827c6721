import { createHash } from 'node:crypto'

/** A text that comes this often is prepared: once a connection instead of at every call. */
const OFTEN = 3
/** What a connection keeps has a bound, on both of its ends. */
const MAX_NAMED = 400
const MAX_COUNTED = 1000
/** Longer ones are lists of so many values, which seldom come twice. */
const MAX_LENGTH = 8000

/**
 * The server does not know the name, knows it already, or made another plan of it: a pooler hands the connection's
 * statements to somebody else, or a migration has passed by.
 */
const UNNAMED_AGAIN = new Set(['26000', '42P05', '0A000'])

/**
 * Names for the statements that come again and again, so that the server parses and plans them once a connection. Half
 * of the server's work for an answer is parsing and planning. A name is made of the text: two processes behind one pooler
 * can mean nothing else by it.
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

  /** Whether an error comes from names, which from now on are not used any more. */
  giveUp(error: unknown): boolean {
    if (!this.#isOn || !UNNAMED_AGAIN.has((error as { code?: string }).code ?? '')) return false
    this.#isOn = false
    return true
  }
}
