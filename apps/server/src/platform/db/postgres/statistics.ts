import type pg from 'pg'

/** Fewer rows than this are found fast by any plan. */
const FIRST = 1000
/** Plans change with the order of magnitude. */
const GROWTH = 4
/** Grow with a table, by other ways than the one that counts. */
const COMPANIONS: { readonly [table: string]: readonly string[] } = { records: ['record_text', 'dataset_tokens'] }
/** The rows are counted inside of transactions, whose end this gives time for, in milliseconds. */
const DELAY_MS = 300

/**
 * Keeps the planner informed while tables grow a thousandfold in seconds, as they do when a team uploads its first dataset.
 * PostgreSQL looks by itself once a minute, and until then it plans for empty tables.
 */
export class Statistics {
  readonly #pool: Pick<pg.Pool, 'query'>
  readonly #rows = new Map<string, { added: number; next: number }>()
  readonly #due = new Set<string>()
  #timer: NodeJS.Timeout | null = null
  constructor(pool: Pick<pg.Pool, 'query'>) {
    this.#pool = pool
  }

  /** Rows were added to a table. */
  note(table: string, count: number): void {
    const rows = this.#rows.get(table) ?? { added: 0, next: FIRST }
    this.#rows.set(table, rows)
    rows.added += count
    if (rows.added < rows.next) return
    rows.next = rows.added * GROWTH
    for (const grown of [table, ...(COMPANIONS[table] ?? [])]) this.#due.add(grown)
    this.#timer ??= setTimeout(() => this.#analyze(), DELAY_MS).unref()
  }

  /** Looks at no table any more. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#due.clear()
  }

  #analyze(): void {
    this.#timer = null
    const tables = [...this.#due].map((table) => `"${table}"`)
    this.#due.clear()
    // NOTE: a role that may not do this has a server that looks by itself, only later
    this.#pool.query(`analyze ${tables.join(', ')}`).catch(() => undefined)
  }
}
