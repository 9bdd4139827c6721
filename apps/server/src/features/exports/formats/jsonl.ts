import type { Record as RecordPayload } from '@postil/contract/records.ts'
import { piecesOf } from '#platform/http/answers/pieces.ts'
import { RECORD_PREFIX } from '../column-names.ts'
import { type Row, tableFor } from '../columns.ts'
import type { FormatWriter } from '../context.ts'
import { noBytes } from '../context.ts'

/** One JSON object per row, with keys in column order. Objects of whole records end with the comments on the record, if there are any. */
export const jsonl: FormatWriter = (context, { shape }) => {
  const { columns, rowsOf } = tableFor(context, shape)
  const keys = columns.map(({ name }) => JSON.stringify(name))
  const key = columns.some(({ name }) => name === 'comments') ? `${RECORD_PREFIX}comments` : 'comments'
  const hasComments = context.hasComments && shape === 'wide'
  const commentsOf = ({ comments = [] }: RecordPayload): string => (hasComments ? `,"${key}":${JSON.stringify(comments)}` : '')
  const print = (row: Row, record: RecordPayload): string =>
    `{${keys.map((name, i) => `${name}:${JSON.stringify(row[i])}`).join(',')}${commentsOf(record)}}\n`
  return {
    push: (records) => piecesOf(records.values().flatMap((record) => rowsOf(record).map((row) => print(row, record)))),
    end: () => noBytes,
  }
}
