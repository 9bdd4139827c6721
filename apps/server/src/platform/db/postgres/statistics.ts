import { LRUCache } from 'lru-cache'
import type pg from 'pg'

/** Number of added rows after which a table is first analyzed. With fewer rows, any plan is fast. */
const FIRST = 1000
/** Maximum number of datasets counted per table. */
const DATASETS = 1000
/** A table is analyzed again after it has grown by this factor. Smaller growth rarely changes which plan is best. */
const GROWTH = 4
/** Tables that grow together with another table, keyed by that table. Only rows added to the other table are counted. */
const COMPANIONS: { readonly [table: string]: readonly string[] } = { records: ['record_text', 'dataset_tokens'] }
/**
 * Delay before an analysis, in milliseconds. Added rows are counted inside transactions, and these transactions must commit
 * before the analysis.
 */
const DELAY_MS = 300

type Growth = { added: number; next: number }

/** @returns whether to analyze the table now */
const hasGrown = (rows: Growth, count: number): boolean => {
  rows.added += count
  if (rows.added < rows.next) return false
  rows.next = rows.added * GROWTH
  return true
}

/**
 * Updates planner statistics while tables grow quickly. For example, tables grow a thousandfold within seconds when a team
 * uploads its first dataset. PostgreSQL's autovacuum runs only once a minute. Until then, the planner assumes that the tables are
 * empty.
 *
 * Rows are also counted for each dataset, because the statistics may cover larger datasets but not a new one. The planner would
 * then assume that the new dataset has no rows, and would scan the whole dataset to find a few rows.
 */
export class Statistics {
  readonly #pool: Pick<pg.Pool, 'query'>
  readonly #tables = new Map<string, Growth>()
  readonly #datasets = new Map<string, LRUCache<number, Growth>>()
  readonly #due = new Set<string>()
  #timer: NodeJS.Timeout | null = null
  constructor(pool: Pick<pg.Pool, 'query'>) {
    this.#pool = pool
  }

  /** Counts rows added to a table. @param datasetNo the dataset of the rows; null if they belong to none */
  note(table: string, count: number, datasetNo: number | null): void {
    const totals = this.#tables.get(table) ?? { added: 0, next: FIRST }
    this.#tables.set(table, totals)
    const isDue = [hasGrown(totals, count), datasetNo !== null && hasGrown(this.#growthOf(table, datasetNo), count)]
    if (!isDue.includes(true)) return
    for (const grown of [table, ...(COMPANIONS[table] ?? [])]) this.#due.add(grown)
    this.#timer ??= setTimeout(() => this.#analyze(), DELAY_MS).unref()
  }

  #growthOf(table: string, datasetNo: number): Growth {
    const datasets = this.#datasets.get(table) ?? new LRUCache<number, Growth>({ max: DATASETS })
    this.#datasets.set(table, datasets)
    const growth = datasets.get(datasetNo) ?? { added: 0, next: FIRST }
    datasets.set(datasetNo, growth)
    return growth
  }

  /** Cancels pending analyses. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#due.clear()
  }

  #analyze(): void {
    this.#timer = null
    const tables = [...this.#due].map((table) => `"${table}"`)
    this.#due.clear()
    // A role that may not run `analyze` relies on autovacuum, which runs later.
    this.#pool.query(`analyze ${tables.join(', ')}`).catch(() => undefined)
  }
}
