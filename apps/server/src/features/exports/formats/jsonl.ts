import type { Record as RecordPayload } from '@postil/contract/records.ts'
import { piecesOf } from '#platform/http/answers/pieces.ts'
import { RECORD_PREFIX } from '../column-names.ts'
import { type Row, tableFor } from '../columns.ts'
import type { FormatWriter } from '../context.ts'
import { noBytes } from '../context.ts'

/**
 * One JSON object per row, with keys in column order. If a row contains a whole record, the object ends with:
 * - the record's comments, if the dataset has comments
 * - the answers that people gave when the record was a test item, if the dataset has test items
 */
export const jsonl: FormatWriter = (context, { shape }) => {
  const { columns, rowsOf } = tableFor(context, shape)
  const keys = columns.map(({ name }) => JSON.stringify(name))
  const isWide = shape === 'wide'
  const extra = ([context.hasComments && 'comments', context.hasTests && 'tests'] as const).filter((name) => name !== false)
  const keyOf = (part: string): string =>
    JSON.stringify(columns.some(({ name }) => name === part) ? `${RECORD_PREFIX}${part}` : part)
  const extraOf = (record: RecordPayload): string =>
    isWide ? extra.map((part) => `,${keyOf(part)}:${JSON.stringify(record[part] ?? [])}`).join('') : ''
  const print = (row: Row, record: RecordPayload): string =>
    `{${keys.map((name, i) => `${name}:${JSON.stringify(row[i])}`).join(',')}${extraOf(record)}}\n`
  return {
    push: (records) => piecesOf(records.values().flatMap((record) => rowsOf(record).map((row) => print(row, record)))),
    end: () => noBytes,
  }
}
