import { piecesOf } from '#platform/http/answers/pieces.ts'
import { type Row, tableFor } from '../columns.ts'
import type { FormatWriter } from '../context.ts'
import { noBytes } from '../context.ts'

/** One JSON object per row, with keys in column order. */
export const jsonl: FormatWriter = (context, { shape }) => {
  const { columns, rowsOf } = tableFor(context, shape)
  const keys = columns.map(({ name }) => JSON.stringify(name))
  const print = (row: Row): string => `{${keys.map((key, i) => `${key}:${JSON.stringify(row[i])}`).join(',')}}\n`
  return {
    push: (records) => piecesOf(records.values().flatMap(rowsOf).map(print)),
    end: () => noBytes,
  }
}
