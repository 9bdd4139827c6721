import { columnKindsOf } from '#platform/db/column-kinds.ts'
import { type ColumnKind, type TableName, tables } from '#platform/db/tables.ts'
import { viewVector } from '#platform/db/vectors/vector-values.ts'

/** Made again from the records by the next server: each engine has a text index of its own. */
const REMADE = new Set<TableName>(['dataset_tokens'])
/** A version that no tokenizer has: whoever opens the store next makes the text index of the dataset again. */
const NO_TEXT_VERSION = 0

/** Every table whose rows are the same on both engines. */
export const carriedTables: readonly TableName[] = (Object.keys(tables) as TableName[]).filter((name) => !REMADE.has(name))

export type StoredRow = { readonly [column: string]: unknown }
type Target = {
  /** How the engine that the rows go to keeps what similarity is measured by. */
  readonly encodeVector: (numbers: ArrayLike<number>) => unknown
  readonly encodeBool: (value: boolean) => unknown
}

const asBytes = (value: unknown): Uint8Array => value as Uint8Array

const carried = (kind: ColumnKind, value: unknown, row: StoredRow, to: Target): unknown => {
  if (value === null) return null
  if (kind === 'bool') return to.encodeBool(value === true || value === 1)
  // NOTE: similarity is measured by float32 numbers; what was sent lies beside them
  if (kind === 'vector') return to.encodeVector(viewVector(asBytes(row.raw)))
  return kind === 'blob' ? Buffer.from(asBytes(value)) : value
}

/** How a row of one engine is stored by another. @returns a function for the rows of a table */
export const carrier = (table: TableName, to: Target): ((row: StoredRow) => StoredRow) => {
  const columns = Object.entries(columnKindsOf(table))
  const state = table === 'dataset_state' ? { text_version: NO_TEXT_VERSION, text_rebuilt_to: null, text_due_from: null } : {}
  return (row) => ({
    ...Object.fromEntries(columns.map(([name, kind]) => [name, carried(kind, row[name], row, to)])),
    ...state,
  })
}

/** Names of a table's columns. */
export const columnsOf = (table: TableName): readonly string[] => Object.keys(columnKindsOf(table))
