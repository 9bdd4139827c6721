import { LRUCache } from 'lru-cache'
import type pg from 'pg'

/** Number of added rows after which a table is first analyzed. With fewer rows, any plan is fast. */
const FIRST = 1000
/** Maximum number of datasets counted per table. */
const DATASETS = 1000
/** Growth factor after which a table is analyzed again, because plans change with the order of magnitude. */
const GROWTH = 4
/** For each table, the tables that grow together with it, but through statements that are not counted. */
const COMPANIONS: { readonly [table: string]: readonly string[] } = { records: ['record_text', 'dataset_tokens'] }
/** Delay before an analysis, in milliseconds. Rows are counted inside transactions, which must commit first. */
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
 * Updates planner statistics while tables grow a thousandfold within seconds, for example when a team uploads its first dataset.
 * PostgreSQL's autovacuum runs once a minute; until then the planner assumes empty tables. Rows are also counted separately for
 * each dataset. If the statistics include larger datasets but not a new one, the planner assumes that the new dataset has no
 * rows, and scans the whole dataset to find a few rows.
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
