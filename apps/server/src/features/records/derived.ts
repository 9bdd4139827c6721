import type { Insertable } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { facets, indexKey } from '#platform/db/index-keys.ts'
import type { Tables } from '#platform/db/tables.ts'
import { together } from '#platform/db/together.ts'
import type { IndexRows } from '#question-types/index-rows.ts'

type TermRow = Insertable<Tables['record_terms']>
type NumberRow = Insertable<Tables['record_numbers']>

/** In the order of the table's key. By key first: comparing rows is most of the work of a sort, and within a key it is less. */
const inOrder = <R extends { readonly key: number }>(rows: readonly R[], compare: (a: R, b: R) => number): R[] => {
  const byKey = [...Map.groupBy(rows, ({ key }) => key)].sort(([a], [b]) => a - b)
  return byKey.flatMap(([, own]) => own.sort(compare))
}

const byTerm = (a: TermRow, b: TermRow): number =>
  a.value_key < b.value_key ? -1 : a.value_key > b.value_key ? 1 : a.seq - b.seq
const byNumber = (a: NumberRow, b: NumberRow): number => a.number - b.number || a.seq - b.seq

/** The narrow rows of records that a command writes: collected, and inserted in one go in the order of their keys. */
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
    await together([
      db.dialect.insertMany(db.sql, 'record_terms', inOrder(this.#terms, byTerm)),
      db.dialect.insertMany(db.sql, 'record_numbers', inOrder(this.#numbers, byNumber)),
    ])
  }
}

/** Removes rows of some keys, or all rows, of records. */
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

/** All keys of a question or property. */
export const keysOf = (no: number): readonly number[] => Object.values(facets).map((facet) => indexKey(no) + facet)
