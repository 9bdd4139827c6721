import { columnKindsOf } from '#platform/db/column-kinds.ts'
import { type ColumnKind, type TableName, tables } from '#platform/db/tables.ts'
import { viewVector } from '#platform/db/vectors/vector-values.ts'

/**
 * Tables that are not copied, because each engine has its own text index. The next server to start rebuilds them from the
 * records.
 */
const REBUILT = new Set<TableName>(['dataset_tokens'])
/** No tokenizer has this version. The store therefore rebuilds the dataset's text index when the store is next opened. */
const NO_TEXT_VERSION = 0

/** All tables whose rows are the same on both engines. */
export const copiedTables: readonly TableName[] = (Object.keys(tables) as TableName[]).filter((name) => !REBUILT.has(name))

type StoredRow = { readonly [column: string]: unknown }
type Target = {
  /** Encodes a vector for the target engine's similarity search. */
  readonly encodeVector: (numbers: ArrayLike<number>) => unknown
  readonly encodeBool: (value: boolean) => unknown
}

const asBytes = (value: unknown): Uint8Array => value as Uint8Array

const convertValue = (kind: ColumnKind, value: unknown, row: StoredRow, to: Target): unknown => {
  if (value === null) return null
  if (kind === 'bool') return to.encodeBool(value === true || value === 1)
  // Similarity search uses float32 numbers. The original values are in another column.
  if (kind === 'vector') return to.encodeVector(viewVector(asBytes(row.raw)))
  return kind === 'blob' ? Buffer.from(asBytes(value)) : value
}

/** Returns a function that converts a row of a table from one engine to the other. */
export const rowConverter = (table: TableName, to: Target): ((row: StoredRow) => StoredRow) => {
  const columns = Object.entries(columnKindsOf(table))
  const state = table === 'dataset_state' ? { text_version: NO_TEXT_VERSION, text_rebuilt_to: null, text_due_from: null } : {}
  return (row) => ({
    ...Object.fromEntries(columns.map(([name, kind]) => [name, convertValue(kind, row[name], row, to)])),
    ...state,
  })
}

export const columnsOf = (table: TableName): readonly string[] => Object.keys(columnKindsOf(table))
