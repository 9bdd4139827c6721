import { message, type Reason } from '@postil/contract/wire/message.ts'
import { CellFault, castCell } from './cells.ts'
import type { Features } from './features.ts'
import type { ParquetRow } from './parquet-file.ts'

/** Maximum number of characters in a row. Longer rows are rejected. */
const MAX_ROW = 8_000_000

type At = { readonly row: number; readonly line: number }
export type CastRow = At & ({ readonly values: ReadonlyMap<string, unknown> } | { readonly fault: Reason })
export type SizedRow = { readonly row: CastRow; readonly size: number }

const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + sizeOf(one), 8)
  if (typeof value === 'object' && value !== null) return sizeOf(Object.values(value)) + sizeOf(Object.keys(value))
  return 8
}

/**
 * Counts the bytes of binary values. A value that occurs several times is counted each time, because each conversion creates a
 * copy.
 */
const textBytes = (value: unknown): number => {
  if (value instanceof Uint8Array) return value.length
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return 0
  const inside: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  return inside.reduce<number>((sum, one) => sum + textBytes(one), 0)
}
/** Number of UTF-8 bytes above which a row always exceeds `MAX_ROW`, whatever its characters. */
const MAX_TEXT_BYTES = MAX_ROW * 3

/** Converts a row to JSON. @param place index of the row, from 0 */
export const castRow = (row: ParquetRow, place: number, columns: readonly string[], features: Features): SizedRow => {
  const at = { row: place + 1, line: place + 1 }
  const tooLong = { row: { ...at, fault: message('rowTooLong', { limit: MAX_ROW }) }, size: 100 }
  if (textBytes(columns.map((column) => row[column])) > MAX_TEXT_BYTES) return tooLong
  const values = new Map<string, unknown>()
  for (const column of columns) {
    try {
      values.set(column, castCell(features[column], row[column]))
    } catch (error) {
      if (!(error instanceof CellFault)) throw error
      return {
        row: { ...at, fault: message('columnFault', { column: JSON.stringify(column) }, error.reason) },
        size: 100,
      }
    }
  }
  const size = sizeOf([...values.values()])
  return size > MAX_ROW ? tooLong : { row: { ...at, values }, size }
}
