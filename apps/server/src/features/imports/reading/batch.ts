import { open } from 'node:fs/promises'
import { isUnfolded, type Layout, type Source, type SourceRow } from '../inspect/layout.ts'
import { BATCH_BYTES, BATCH_ROWS, type Batch } from './limits.ts'
import { readParquetBatch } from './parquet.ts'
import { FileFault, type Position } from './pieces.ts'
import { rowsOf } from './rows.ts'

type Wanted = {
  readonly from: Position
  /** Left out: as many as a transaction writes. */
  readonly limit?: number | undefined
  /** Columns that are wanted, where others need not be read. */
  readonly columns?: readonly string[] | undefined
}

/** Reads the rows that follow a place, at most `limit` of them. */
export const readBatch = async (
  source: Source,
  layout: Layout,
  { from, limit = BATCH_ROWS, columns }: Wanted,
): Promise<Batch> => {
  if (layout.format === 'parquet') return readParquetBatch(source.file, layout, { from, limit, columns: columns ?? null })
  const rows: SourceRow[] = []
  let bytes = 0
  let next: Position | null = null
  const file = await open(isUnfolded(layout) ? source.unfolded(layout.sheet ?? 0) : source.file, 'r')
  try {
    for await (const row of rowsOf(file, layout, { from, columns })) {
      // NOTE: one row ahead, so that the last batch is known to be the last
      if (next !== null && (rows.length >= limit || bytes >= BATCH_BYTES)) return { rows, next, fault: null }
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
