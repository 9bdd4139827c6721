import { open } from 'node:fs/promises'
import type { Layout, SourceRow } from '../layout.ts'
import { FileFault, type Position } from './pieces.ts'
import { rowsOf } from './rows.ts'

export type Batch = {
  readonly rows: readonly SourceRow[]
  /** Where the next batch begins; null at the end of the file. */
  readonly next: Position | null
  /** What nothing behind these rows can be read after. */
  readonly fault: FileFault | null
}

/** Rows of one batch and bytes after which it is full: what a transaction writes without keeping others waiting. */
const ROWS = 100
const BYTES = 1_000_000

/** Reads the rows that follow a place, at most `limit` of them. */
export const readBatch = async (path: string, layout: Layout, from: Position, limit = ROWS): Promise<Batch> => {
  const rows: SourceRow[] = []
  let bytes = 0
  let next: Position | null = null
  const file = await open(path, 'r')
  try {
    for await (const row of rowsOf(file, layout, from)) {
      // NOTE: one row ahead, so that the last batch is known to be the last
      if (next !== null && (rows.length >= limit || bytes >= BYTES)) return { rows, next, fault: null }
      rows.push(row.source)
      bytes += row.bytes
      next = row.next
    }
    return { rows, next: null, fault: null }
  } catch (error) {
    if (error instanceof FileFault) return { rows, next: null, fault: error }
    throw error
  } finally {
    await file.close()
  }
}
