import type { Record as RecordPayload } from '@postil/contract/records.ts'
import { piecesOf } from '#platform/http/answers/pieces.ts'
import { noBytes, type OpenWriter } from '../context.ts'

/** A file with one JSON object per line. */
export const jsonLines = (rowsOf: (record: RecordPayload) => readonly object[]): OpenWriter => ({
  push: (records) =>
    piecesOf(
      records
        .values()
        .flatMap(rowsOf)
        .map((row) => `${JSON.stringify(row)}\n`),
    ),
  end: () => noBytes,
})
