import type { SourceRow } from '../inspect/layout.ts'
import type { FileFault, Position } from './pieces.ts'

export type Batch = {
  readonly rows: readonly SourceRow[]
  /** Where the next batch begins; null at the end of the file. */
  readonly next: Position | null
  /** The fault after which nothing can be read. */
  readonly fault: FileFault | null
}

/** Rows of a batch, and bytes after which it is full: what one transaction writes without blocking others. */
export const BATCH_ROWS = 500
export const BATCH_BYTES = 500_000

/** Maximum bytes of a file's rows after unpacking. */
export const MAX_UNFOLDED = 8_000_000_000
