import type { RowFault } from '@postil/contract/imports.ts'
import { packRecords } from '#features/records/service.ts'
import { type BuiltRow, buildRow, type Recipe } from './build.ts'
import type { Layout, SourceRow } from './layout.ts'
import { readBatch } from './reading/batch.ts'
import type { Position } from './reading/pieces.ts'

/** A batch on its way into the store; it survives structured clone. */
export type PreparedBatch = {
  readonly rows: number
  readonly places: readonly { readonly row: number; readonly line: number }[]
  readonly packed: Uint8Array
  /** Rows that cannot be read. */
  readonly faults: readonly RowFault[]
  /** Null at the end of the file. */
  readonly next: Position | null
  /** Why nothing behind these rows can be read, as one of `faults` says too. */
  readonly broken: RowFault | null
}

const isGood = (row: BuiltRow): row is BuiltRow & { readonly record: unknown } => 'record' in row

export const prepareRows = (
  sources: readonly SourceRow[],
  recipe: Recipe,
): Pick<PreparedBatch, 'rows' | 'places' | 'packed' | 'faults'> => {
  const built = sources.map((source) => buildRow(source, recipe))
  return {
    rows: built.length,
    places: built.filter(isGood).map(({ row, line }) => ({ row, line })),
    packed: packRecords(built.flatMap((row) => ('record' in row ? [row.record] : []))),
    faults: built.flatMap((row) => ('fault' in row ? [row.fault] : [])),
  }
}

/** Reads and prepares the rows that follow a place. @param limit of rows; left out: what one transaction takes */
export const prepareBatch = async (
  path: string,
  { layout, from, limit }: { readonly layout: Layout; readonly from: Position; readonly limit?: number },
  recipe: Recipe,
): Promise<PreparedBatch> => {
  const { rows, next, fault } = await readBatch(path, layout, from, limit)
  const prepared = prepareRows(rows, recipe)
  if (fault === null) return { ...prepared, next, broken: null }
  const broken = { row: fault.row, line: fault.line, column: null, reason: fault.message }
  return { ...prepared, rows: prepared.rows + 1, faults: [...prepared.faults, broken], next, broken }
}
