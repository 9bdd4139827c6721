import { tableFor } from '../columns.ts'
import type { FormatWriter } from '../context.ts'
import { noBytes } from '../context.ts'

/** One JSON object per row, with keys in column order. */
export const jsonl: FormatWriter = (context, { shape }) => {
  const { columns, rowsOf } = tableFor(context, shape)
  const keys = columns.map(({ name }) => JSON.stringify(name))
  return {
    push: (records) => {
      let text = ''
      for (const row of records.flatMap(rowsOf))
        text += `{${keys.map((key, i) => `${key}:${JSON.stringify(row[i])}`).join(',')}}\n`
      return Buffer.from(text)
    },
    end: () => noBytes,
  }
}
