import type { ImportFile } from '@postil/contract/files/imports.ts'
import { type Micros, printTime } from '#platform/time.ts'
import type { Inspected } from './inspect/inspect-file.ts'
import { type Names, proposeMapping } from './rows/mapping.ts'

/** How long reports and files that weren't imported are kept, in microseconds. */
export const RETENTION_US = 86_400_000_000

type Stored = {
  readonly id: string
  readonly dataset_id: string | null
  readonly name: string
  readonly size: number
  readonly inserted_at: Micros
}

/** An uploaded file in wire format. @param names names of the dataset's parts that columns may refer to */
export const printFile = (
  { id, dataset_id, name, size, inserted_at }: Stored,
  { layout, columns, rows, recognized, contents }: Inspected,
  names: Names,
): ImportFile => {
  const { format, sheets = [], sheet } = layout
  const { fields, metadata, suggestions, ...ids } = proposeMapping(columns, names)
  return {
    id,
    dataset_id,
    name,
    format,
    sheets: [...sheets],
    sheet: sheet === undefined ? null : (sheets[sheet] ?? null),
    size,
    recognized,
    read_as: layout.foreign?.as ?? 'plain',
    contents,
    columns: [...columns],
    rows,
    mapping: { fields: [...fields], metadata: [...metadata], suggestions: [...suggestions], ...ids },
    inserted_at: printTime(inserted_at),
    expires_at: printTime(inserted_at + RETENTION_US),
  }
}
