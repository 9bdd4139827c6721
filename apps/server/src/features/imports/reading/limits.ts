import type { SourceRow } from '../inspect/layout.ts'
import type { FileFault, Position } from './pieces.ts'

export type Batch = {
  readonly rows: readonly SourceRow[]
  /** Where the next batch begins; null at the end of the file. */
  readonly next: Position | null
  /** The fault that makes the rest of the file unreadable. */
  readonly fault: FileFault | null
}

/**
 * A batch's maximum number of rows, and the number of bytes at which it is full. Small enough that one transaction doesn't
 * block other writers.
 */
export const BATCH_ROWS = 500
export const BATCH_BYTES = 500_000

/** Maximum size of a file's rows after unpacking, in bytes. */
export const MAX_UNFOLDED = 8_000_000_000
