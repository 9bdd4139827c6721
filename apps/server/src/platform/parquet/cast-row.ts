import { sayReason } from '@postil/contract/wire/reasons.ts'
import { CellFault, castCell } from './cells.ts'
import type { Features } from './features.ts'
import type { ParquetRow } from './parquet-file.ts'

/** Rows with more characters than that are no records. */
const MAX_ROW = 8_000_000

type At = { readonly row: number; readonly line: number }
export type CastRow = At & ({ readonly values: ReadonlyMap<string, unknown> } | { readonly fault: string })
export type SizedRow = { readonly row: CastRow; readonly size: number }

const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + sizeOf(one), 8)
  if (typeof value === 'object' && value !== null) return sizeOf(Object.values(value)) + sizeOf(Object.keys(value))
  return 8
}

/** A row as JSON. @param place of the row, from 0 */
export const castRow = (row: ParquetRow, place: number, columns: readonly string[], features: Features): SizedRow => {
  const at = { row: place + 1, line: place + 1 }
  const values = new Map<string, unknown>()
  for (const column of columns) {
    try {
      values.set(column, castCell(features[column], row[column]))
    } catch (error) {
      if (!(error instanceof CellFault)) throw error
      return {
        row: { ...at, fault: sayReason('columnFault', { column: JSON.stringify(column), reason: error.message }) },
        size: 100,
      }
    }
  }
  const size = sizeOf([...values.values()])
  return size > MAX_ROW
    ? { row: { ...at, fault: sayReason('rowTooLong', { limit: MAX_ROW }) }, size: 100 }
    : { row: { ...at, values }, size }
}
