import type { Encoding } from '@postil/contract/files/encodings.ts'
import { hasLines, type ImportFormat, type TextUnit } from '@postil/contract/files/import-formats.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import type { Annotated, ConvertedRow, Foreign, OwnAnswers } from '../foreign/define.ts'
import type { Position } from '../reading/pieces.ts'
import type { ReadingChoice } from './reading.ts'

/**
 * The type of the items in a JSON file whose items aren't objects:
 * - `lists`: each item is a list of cells
 * - `texts`: each item is a string
 * - `annotated`: each item is a string and an object with its annotations, as in spaCy 2 training data
 */
export type JsonItems = 'lists' | 'texts' | 'annotated'

/** How to read the bytes of an uploaded file. Determined when the file arrives, or when the user chooses how to read it. */
export type Layout = {
  readonly format: ImportFormat
  /** The format according to the file's name, if it differs from the format of the content. */
  readonly named?: ImportFormat
  /** What the user has chosen. */
  readonly chosen?: ReadingChoice
  /** For text: the encoding of the file. Rows are read from a copy in UTF-8, unless the file is in UTF-8. */
  readonly encoding?: Encoding
  /**
   * For damaged UTF-8 text: the offset of the first invalid byte. Rows are read from a copy in which invalid bytes are replaced.
   */
  readonly damagedAt?: number
  /** For tables: the delimiter, one ASCII character. */
  readonly delimiter: string
  /** For tables: true if quotes are text. Otherwise, they delimit cells. */
  readonly quotesAreText?: true
  /**
   * For tables: the line of the heading, or its row in the sheet. For lists of lists: the number of the list that is the heading.
   * 0 if there is no heading.
   */
  readonly headingRow?: number
  /** For text files: the unit of text that is read as one row. */
  readonly unit?: Exclude<TextUnit, 'table'>
  /** For JSON Lines: true if objects can span lines. */
  readonly objectsSpanLines?: true
  /** For JSON: whether single quotes also delimit strings, as in Python. */
  readonly areSingle?: true
  /** For JSON: whether rows are the members of an object. */
  readonly areMembers?: true
  /** For JSON whose rows aren't objects: what the rows are. */
  readonly items?: JsonItems
  /** For lists of lists: the names of the cells. */
  readonly cellNames?: readonly string[]
  /** For a JSON list: true if the list's first item is the heading, so that the first row begins after this item. */
  readonly insideList?: true
  /** For a JSON list inside an object: the byte offset in the file at which the list ends. */
  readonly listEnd?: number
  /** For JSON that stores values by column: the positions of the columns. The rows are read from an unfolded copy of the file. */
  readonly byColumn?: { readonly kind: 'lists' | 'objects'; readonly columns: readonly JsonColumn[] }
  /**
   * For files whose rows contain parts of traces: true if the rows are read from a second file, which has one row for each trace.
   */
  readonly gathered?: true
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
  /**
   * For files whose rows name their own columns, such as JSON Lines: whether the values in nested objects are also columns, for
   * example `meta.source`.
   */
  readonly hasPaths?: true
  /** For tables: columns of numbers with decimal commas. */
  readonly decimalCommas?: readonly string[]
  /** For files of other programs: how rows are converted after reading. */
  readonly foreign?: Foreign
  /** For downloads of a dataset: the answers in its rows. */
  readonly own?: OwnAnswers
}

/** A column of a JSON file with values by column. `from` and `end`: the positions of its brackets. */
export type JsonColumn = { readonly name: string; readonly from: Position; readonly end: number }

/**
 * The paths of an uploaded file and of its converted copies. `unfolded`: a copy with one row per line, for a format that doesn't
 * store one row after another, for example an Excel workbook. `text`: a copy in UTF-8, for a text file in another encoding.
 */
export type Source = {
  readonly file: string
  readonly unfolded: (sheet: number) => string
  readonly text: (encoding: Encoding) => string
}

/** Passed to `unfolded` in place of a sheet number, for the file that has one row for each trace. See `gathered`. */
export const GATHERED = 1_000_000

/** The file from which the rows of a layout are read. */
export const rowsFileOf = (source: Source, layout: Layout): string => {
  if (layout.gathered) return source.unfolded(GATHERED)
  if (isUnfolded(layout)) return source.unfolded(layout.sheet ?? 0)
  return textFileOf(source, layout)
}

/** The file with the text of a layout, in UTF-8. */
const textFileOf = ({ file, text }: Source, { encoding = 'utf-8', damagedAt }: Layout): string =>
  encoding === 'utf-8' && damagedAt === undefined ? file : text(encoding)

/** A warning about a row that can be imported but may have been misread. */
export type RowWarning = { readonly column: string | null; readonly reason: Reason }

/**
 * One row: either its values by column, with null for a missing value, or the reason why it can't be read. `converted`: the
 * content of the row, if the file has the format of another program. `annotated`: people's annotations, if the file has such a
 * format or is a download.
 */
export type SourceRow = { readonly row: number; readonly line: number; readonly warnings?: readonly RowWarning[] } & (
  | { readonly values: ReadonlyMap<string, unknown>; readonly converted?: ConvertedRow; readonly annotated?: Annotated }
  | { readonly fault: Reason }
)

/** The format to use when a file is opened again: the format according to the file's name. */
export const formatOfLayout = ({ format, named }: Layout): ImportFormat => named ?? format

/** Returns how to read the file again: the user's choices, plus the sheet and the encoding that have already been detected. */
export const readingOf = ({ sheet, encoding, chosen }: Layout): ReadingChoice => ({ ...chosen, sheet, encoding })

/** Whether rows are read from an unfolded file. */
export const isUnfolded = ({ format, byColumn, gathered }: Layout): boolean =>
  format === 'xlsx' || format === 'zip' || byColumn !== undefined || gathered === true

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
