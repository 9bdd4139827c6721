import type pg from 'pg'

/** Fewer rows than this are found fast by any plan. */
const FIRST = 1000
/** Datasets of a table that are counted at a time: what was counted of them is forgotten together, and begins anew. */
const DATASETS = 1000
/** Plans change with the order of magnitude. */
const GROWTH = 4
/** Grow with a table, by other ways than the one that counts. */
const COMPANIONS: { readonly [table: string]: readonly string[] } = { records: ['record_text', 'dataset_tokens'] }
/** The rows are counted inside of transactions, whose end this gives time for, in milliseconds. */
const DELAY_MS = 300

type Growth = { added: number; next: number }

/** @returns whether the planner should look at them now */
const hasGrown = (rows: Growth, count: number): boolean => {
  rows.added += count
  if (rows.added < rows.next) return false
  rows.next = rows.added * GROWTH
  return true
}

/**
 * Keeps the planner informed while tables grow a thousandfold in seconds, as they do when a team uploads its first dataset.
 * PostgreSQL looks by itself once a minute, and until then it plans for empty tables. Each dataset counts for itself as well: one that the
 * planner has not seen beside larger ones is nothing to it, so that it reads the whole of it where a few rows are asked for.
 */
export class Statistics {
  readonly #pool: Pick<pg.Pool, 'query'>
  readonly #tables = new Map<string, Growth>()
  readonly #datasets = new Map<string, Map<number, Growth>>()
  readonly #due = new Set<string>()
  #timer: NodeJS.Timeout | null = null
  constructor(pool: Pick<pg.Pool, 'query'>) {
    this.#pool = pool
  }

  /** Rows were added to a table. @param datasetNo whose they are, null where they are nobody's */
  note(table: string, count: number, datasetNo: number | null): void {
    const whole = this.#tables.get(table) ?? { added: 0, next: FIRST }
    this.#tables.set(table, whole)
    const isDue = [hasGrown(whole, count), datasetNo !== null && hasGrown(this.#growthOf(table, datasetNo), count)]
    if (!isDue.includes(true)) return
    for (const grown of [table, ...(COMPANIONS[table] ?? [])]) this.#due.add(grown)
    this.#timer ??= setTimeout(() => this.#analyze(), DELAY_MS).unref()
  }

  #growthOf(table: string, datasetNo: number): Growth {
    const datasets = this.#datasets.get(table) ?? new Map<number, Growth>()
    this.#datasets.set(table, datasets)
    const growth = datasets.get(datasetNo) ?? { added: 0, next: FIRST }
    if (datasets.size >= DATASETS) datasets.clear()
    datasets.set(datasetNo, growth)
    return growth
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
