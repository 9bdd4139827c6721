import { escapeFormula, quoteCell } from '@postil/contract/files/csv-cell.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { piecesOf } from '#platform/http/answers/pieces.ts'
import type { Column, Row } from '../columns.ts'
import { tableFor } from '../columns.ts'
import type { FormatWriter } from '../context.ts'
import { noBytes } from '../context.ts'

const print = ({ kind, depth }: Column, value: JsonValue | undefined, escapeFormulas: boolean): string => {
  if (value === null || value === undefined) return ''
  if (depth > 0 || kind === 'json' || typeof value === 'object') return quoteCell(JSON.stringify(value))
  if (typeof value !== 'string') return String(value)
  // An empty string is quoted, because an empty cell means a missing value
  if (value === '') return '""'
  return quoteCell(escapeFormulas ? escapeFormula(value) : value)
}

/** Comma-separated UTF-8, with lists and objects as JSON, and CRLF line endings (RFC 4180). */
export const csv: FormatWriter = (context, { shape, escapeFormulas, isContinued }) => {
  const { columns, rowsOf } = tableFor(context, shape, escapeFormulas)
  const heading = columns.map(({ name }) => quoteCell(escapeFormulas ? escapeFormula(name) : name))
  let head = isContinued ? '' : `${heading.join(',')}\r\n`
  const printRow = (row: Row): string => `${columns.map((column, i) => print(column, row[i], escapeFormulas)).join(',')}\r\n`
  return {
    push: function* (records) {
      const before = head
      head = ''
      yield* piecesOf([before])
      yield* piecesOf(records.values().flatMap(rowsOf).map(printRow))
    },
    end: () => (head === '' ? noBytes : Buffer.from(head)),
  }
}
