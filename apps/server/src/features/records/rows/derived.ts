import type { Insertable } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { facets, indexKey } from '#platform/db/keys/index-keys.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { Tables } from '#platform/db/tables.ts'
import type { IndexRows } from '#question-types/index-rows.ts'

type TermRow = Insertable<Tables['record_terms']>
type NumberRow = Insertable<Tables['record_numbers']>

const compare = (a: string | number, b: string | number): number => Number(a > b) - Number(a < b)

/** Collects the index rows of the records that a command writes, and inserts them together in key order. */
export class Derived {
  readonly #datasetNo: number
  readonly #terms: TermRow[] = []
  readonly #numbers: NumberRow[] = []
  constructor(datasetNo: number) {
    this.#datasetNo = datasetNo
  }

  add(seq: number, { terms, numbers }: IndexRows): void {
    const dataset_no = this.#datasetNo
    for (const { key, value_key } of terms) this.#terms.push({ dataset_no, key, value_key, seq })
    for (const { key, number } of numbers) this.#numbers.push({ dataset_no, key, number, seq })
  }

  async insert(db: Db): Promise<void> {
    this.#terms.sort((a, b) => a.key - b.key || compare(a.value_key, b.value_key) || a.seq - b.seq)
    this.#numbers.sort((a, b) => a.key - b.key || a.number - b.number || a.seq - b.seq)
    await pipeline([
      db.dialect.insertMany(db.sql, 'record_terms', this.#terms),
      db.dialect.insertMany(db.sql, 'record_numbers', this.#numbers),
    ])
  }
}

/** Removes records' index rows, either those with given keys or all. */
export const dropDerived = async (
  db: Db,
  datasetNo: number,
  seqs: readonly number[],
  keys: readonly number[] | null,
): Promise<void> => {
  if (seqs.length === 0 || keys?.length === 0) return
  for (const table of ['record_terms', 'record_numbers'] as const) {
    let query = db.sql.deleteFrom(table).where('dataset_no', '=', datasetNo).where('seq', 'in', db.dialect.listed(seqs))
    if (keys !== null) query = query.where('key', 'in', db.dialect.listed(keys))
    await query.execute()
  }
}

/** Returns all index keys of a question or property. */
export const keysOf = (no: number): readonly number[] => Object.values(facets).map((facet) => indexKey(no) + facet)
