import type { FileReading, ImportFile } from '@postil/contract/files/imports.ts'
import { type Micros, printTime } from '#platform/time.ts'
import type { FirstRow } from './inspect/first-rows.ts'
import type { Inspected } from './inspect/inspect-file.ts'
import { noDelimiter } from './reading/cells.ts'
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

/** The user chooses the heading from a list of rows. This is the maximum number of characters that the list shows of each row. */
const MAX_ROW_TEXT = 160

/** How a file is read, in wire format. */
const printReading = ({ layout, firstRows }: Pick<Inspected, 'layout' | 'firstRows'>): FileReading => {
  const { format, named, encoding = null, delimiter, headingRow = null, unit = null, damagedAt = null } = layout
  const isTable = format === 'csv' || format === 'tsv'
  const textOf = (cells: FirstRow['cells']): string =>
    cells
      .map((cell) => cell ?? '')
      .join(' · ')
      .slice(0, MAX_ROW_TEXT)
      .toWellFormed()
  return {
    encoding,
    damaged_at: damagedAt,
    separator: isTable ? (delimiter === noDelimiter ? '' : delimiter) : null,
    heading_row: headingRow,
    first_rows: firstRows.map(({ row, cells }) => ({ row, text: textOf(cells) })),
    unit: named === 'txt' && isTable ? 'table' : unit,
  }
}

/** An uploaded file in wire format. @param names names of the dataset's parts that columns may refer to */
export const printFile = (
  { id, dataset_id, name, size, inserted_at }: Stored,
  { layout, columns, rows, recognized, contents, firstRows }: Inspected,
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
    reading: printReading({ layout, firstRows }),
    columns: [...columns],
    rows,
    mapping: { fields: [...fields], metadata: [...metadata], suggestions: [...suggestions], ...ids },
    inserted_at: printTime(inserted_at),
    expires_at: printTime(inserted_at + RETENTION_US),
  }
}
