/** Rows of one table, with values in column order. */
export type Rows = { readonly table: string; readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }

/** What the product stored for one batch of records: the rows of every table. */
export type Batch = readonly Rows[]

/** A query that is run directly on the driver. */
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

/** Runs the benchmark's operations directly with the engine's driver instead of Postil, on the same data. */
export type Bare = {
  /**
   * Reads back what the product stored, in batches of `size` records: at most `most` batches, starting with batch number
   * `from`.
   */
  readonly batches: (size: number, most: number, from: number) => Promise<Batch[]>
  /** Inserts the batches into an empty database with Postil's schema, one transaction per batch. Returns milliseconds. */
  readonly insert: (batches: readonly Batch[]) => Promise<number>
  /**
   * After a large write, runs the maintenance that the engine would otherwise do within a minute. Runs it on the product's
   * database and on the bare one.
   */
  readonly settle: () => Promise<void>
  /** Runs a query once. Returns milliseconds. */
  readonly query: (what: BareQuery, argument?: string | number) => Promise<number>
  /** Writes the rows of one answer in a transaction. Returns the duration in milliseconds. */
  readonly submit: (i: number) => Promise<number>
  readonly close: () => Promise<void>
}

/** Search words, named by how common they are in the records. */
export const WORDS = { rare: 'annotation', medium: 'database', common: 'depends' } as const

/** The values of the metadata filter. */
export const FILTER = { section: 'libs', from: 100, to: 5000 } as const
export const SCORE = 0.9
export const PAGE = 50

/** Tables that store a batch of records, with the columns to read back. `seq` identifies the batch. */
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
