import { hasLines, type ImportFormat } from '@postil/contract/files/import-formats.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import type { ConvertedRow, Foreign } from '../foreign/define.ts'
import type { Position } from '../reading/pieces.ts'

/** How to read the bytes of an uploaded file. Determined once, when the file arrives. */
export type Layout = {
  readonly format: ImportFormat
  /** For tables: the delimiter, one ASCII character. */
  readonly delimiter: string
  /** For tables: the byte that ends a line, if it isn't a line feed. */
  readonly lineEnd?: number
  /** For tables: true if quotes are text. Otherwise, they delimit cells. */
  readonly quotesAreText?: true
  /** For JSON Lines: true if objects can span lines. */
  readonly objectsSpanLines?: true
  /** For a JSON list inside an object: the number of bytes before the end of the list. */
  readonly listEnd?: number
  /** For tables: column names in order. */
  readonly header: readonly string[]
  /** For files whose rows name their own columns: the columns that the preview showed. */
  readonly columns?: readonly string[]
  /** Where the first row begins. */
  readonly first: Position
  /** For files whose positions are not byte offsets: the last position. */
  readonly end?: number
  /** For workbooks: the names of the sheets, and the index of the one to read. */
  readonly sheets?: readonly string[]
  readonly sheet?: number
  /** For archives: whether all cells of their tables are text. */
  readonly textCells?: boolean
  /** For files of other programs: how rows are converted after reading. */
  readonly foreign?: Foreign
}

/**
 * The path of a file and, if the format doesn't store rows sequentially, the path of the file to which its rows are unfolded.
 */
export type Source = { readonly file: string; readonly unfolded: (sheet: number) => string }

/** A quoted cell that looks like several rows: its lines have the number of separators that rows would have. */
export type MergedLines = { readonly column: string; readonly lines: number }

/**
 * One row: either its values by column, with null for a missing value, or the reason why it can't be read. `converted`: what the
 * row of a foreign file contained.
 */
export type SourceRow = { readonly row: number; readonly line: number; readonly merged?: MergedLines } & (
  | { readonly values: ReadonlyMap<string, unknown>; readonly converted?: ConvertedRow }
  | { readonly fault: Reason }
)

/** How the user or the content decided that a file is read. */
export const readingOf = ({ sheet, foreign }: Layout) => ({ sheet, as: foreign?.as ?? ('plain' as const) })

/** Whether rows are read from an unfolded file. */
export const isUnfolded = ({ format }: Layout): boolean => format === 'xlsx' || format === 'zip'

/** Whether each row names its own columns and may omit some. */
export const rowsNameColumns = ({ format, foreign }: Layout): boolean =>
  foreign !== undefined || format === 'json' || format === 'jsonl' || format === 'conll' || format === 'zip'

/** The columns that every row has. Empty if each row names its own columns. */
export const headerOf = ({ header, foreign }: Layout): readonly string[] => (foreign === undefined ? header : [])

/** Whether every cell is text. */
export const isTextTable = ({ format, foreign, textCells = false }: Layout): boolean =>
  foreign === undefined && (format === 'csv' || format === 'tsv' || textCells)

/** How many bytes of a file precede a position. @param size the file's size in bytes */
export const doneAt = ({ end }: Layout, { offset }: Position, size: number): number =>
  end === undefined ? offset : Math.floor((size * offset) / Math.max(end, 1))

/** The reason why an import stops before the end of its file. */
export const brokenAt = (layout: Layout, { line, reason }: { readonly line: number; readonly reason: Reason }): Reason =>
  hasLines(layout.format) ? message('nothingBehindLine', { line }, reason) : message('nothingBehindRow', { row: line }, reason)
