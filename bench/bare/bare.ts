/** Rows of one table, in the order of its columns. */
export type Rows = { readonly table: string; readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }

/** What one batch of records became in the store: the rows of every table. */
export type Batch = readonly Rows[]

/** The work that a query of the product does, done with nothing in between. `n` counts, `page` fetches. */
export type BareQuery =
  | 'next'
  | 'text-rare'
  | 'text-medium'
  | 'text-common'
  | 'metadata'
  | 'score'
  | 'sort'
  | 'similar'
  | 'offset'

/** The engine's own driver on the same data, without the product. */
export type Bare = {
  /** What the product wrote for each batch of records, read back: at most so many, after the first `from`. */
  readonly batches: (size: number, most: number, from: number) => Promise<Batch[]>
  /** Inserts the batches into an empty store of the same schema, each in a transaction; milliseconds. */
  readonly insert: (batches: readonly Batch[]) => Promise<number>
  /** Does at once what the engine's housekeeping does within a minute of a large write, to both stores alike. */
  readonly settle: () => Promise<void>
  /** Runs a query once; milliseconds. */
  readonly query: (what: BareQuery, argument?: string | number) => Promise<number>
  /** Writes the rows that an answer makes, in a transaction; milliseconds. */
  readonly submit: (i: number) => Promise<number>
  readonly close: () => Promise<void>
}

/** Words by how many records have them. */
export const WORDS = { rare: 'annotation', medium: 'database', common: 'depends' } as const

/** What the metadata filter asks for. */
export const FILTER = { section: 'libs', from: 100, to: 5000 } as const
export const SCORE = 0.9
export const PAGE = 50

/** Tables that hold what a batch of records becomes, with the columns that are read back; `seq` says which batch. */
export const TABLES: { readonly [table: string]: readonly string[] } = {
  records: [
    'dataset_no',
    'id',
    'seq',
    'external_id',
    'external_key',
    'status',
    'submitted',
    'shuffle',
    'fields',
    'metadata',
    'inserted_at',
    'updated_at',
  ],
  record_terms: ['dataset_no', 'key', 'value_key', 'seq'],
  record_numbers: ['dataset_no', 'key', 'number', 'seq'],
  suggestions: ['dataset_no', 'seq', 'question_no', 'id', 'type', 'value', 'agent', 'score', 'inserted_at', 'updated_at'],
  vectors: ['dataset_no', 'setting_no', 'seq', 'embedding', 'raw', 'inserted_at'],
}
