import { open } from 'node:fs/promises'
import type { AnnotatorMapping } from '@postil/contract/files/imports.ts'
import { converter } from '../foreign/convert.ts'
import { isUnfolded, type Layout, rowsFileOf, type Source, type SourceRow } from '../inspect/layout.ts'
import { ownAnswerColumns, withOwnAnswers } from '../own-answers.ts'
import { withPaths } from '../rows/paths.ts'
import { BATCH_BYTES, BATCH_ROWS, type Batch } from './limits.ts'
import { readParquetBatch } from './parquet.ts'
import { FileFault, type Position } from './pieces.ts'
import { rowsOf } from './rows.ts'

type ReadArgs = {
  readonly from: Position
  /** Maximum number of rows to read. Default: the number of rows in one transaction. */
  readonly limit?: number | undefined
  /** The required columns. Other columns may be skipped. */
  readonly columns?: readonly string[] | undefined
  /** How the annotations in the rows are imported. Annotations by people who aren't listed are imported as suggestions. */
  readonly annotators?: readonly AnnotatorMapping[] | null | undefined
}

/** Reads at most `limit` rows as they are in the file. */
const readPlain = async (source: Source, layout: Layout, { from, limit = BATCH_ROWS, columns }: ReadArgs): Promise<Batch> => {
  if (layout.format === 'parquet' && !isUnfolded(layout))
    return readParquetBatch(source.file, layout, { from, limit, columns: columns ?? null })
  const rows: SourceRow[] = []
  let bytes = 0
  let next: Position | null = null
  const file = await open(rowsFileOf(source, layout), 'r')
  try {
    for await (const row of rowsOf(file, layout, { from, columns })) {
      // Reads one row ahead, to recognize the last batch
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

/** Copies the warnings of a row to the converted row. */
const withWarnings = (converted: SourceRow, { warnings }: SourceRow): SourceRow =>
  warnings === undefined ? converted : { ...converted, warnings }

/** Reads at most `limit` rows, starting at a position. Rows of foreign files are converted. */
export const readBatch = async (source: Source, layout: Layout, range: ReadArgs): Promise<Batch> => {
  const { foreign, own } = layout
  const annotators = range.annotators ?? []
  if (foreign !== undefined) {
    const batch = await readPlain(source, layout, { ...range, columns: undefined })
    const convert = converter(foreign, annotators)
    return { ...batch, rows: batch.rows.map((row) => withWarnings(convert(row), row)) }
  }
  const columns = own === undefined || !range.columns ? range.columns : [...range.columns, ...ownAnswerColumns(own)]
  const plain = await readPlain(source, layout, { ...range, columns })
  if (own !== undefined) return { ...plain, rows: plain.rows.map(withOwnAnswers(own, annotators)) }
  return layout.hasPaths ? { ...plain, rows: plain.rows.map(withPaths) } : plain
}
