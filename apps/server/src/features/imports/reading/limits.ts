import type { SourceRow } from '../inspect/layout.ts'
import type { FileFault, Position } from './pieces.ts'

export type Batch = {
  readonly rows: readonly SourceRow[]
  /** Where the next batch begins; null at the end of the file. */
  readonly next: Position | null
  /** What nothing behind these rows can be read after. */
  readonly fault: FileFault | null
}

/** Rows of one batch and bytes after which it is full: what a transaction writes without keeping others waiting. */
export const BATCH_ROWS = 500
export const BATCH_BYTES = 500_000

/** Bytes that the rows of one file may be when what it packs is laid out. */
export const MAX_UNFOLDED = 8_000_000_000
