import { tableFor } from '../columns.ts'
import type { FormatWriter } from '../context.ts'
import { nothing } from '../context.ts'

/** A JSON object a row, keys in the order of the columns. */
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
    end: () => nothing,
  }
}
