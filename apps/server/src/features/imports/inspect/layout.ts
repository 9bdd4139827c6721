import { hasLines, type ImportFormat } from '@postil/contract/files/import-formats.ts'
import { sayReason } from '@postil/contract/wire/reasons.ts'
import type { Position } from '../reading/pieces.ts'

/** How the bytes of an uploaded file are read, settled once when it arrives. */
export type Layout = {
  readonly format: ImportFormat
  /** Of tables: one character of ASCII. */
  readonly delimiter: string
  /** Of tables: the byte that ends a line where it is no line feed. */
  readonly lineEnd?: number
  /** Of tables: names of the columns in their order. */
  readonly header: readonly string[]
  /** Where the first row begins. */
  readonly first: Position
  /** Of files whose places are not their bytes: the last place. */
  readonly end?: number
  /** Of workbooks: names of their sheets, and which one is read, from 0. */
  readonly sheets?: readonly string[]
  readonly sheet?: number
  /** Of archives: whether what their tables say are texts, whatever stands in them. */
  readonly textCells?: boolean
}

/** Where a file lies, and where its rows are unfolded to that do not lie in it one behind the other. */
export type Source = { readonly file: string; readonly unfolded: (sheet: number) => string }

/** One row: its values by column, null where there is none, or why it cannot be read. */
export type SourceRow = { readonly row: number; readonly line: number } & (
  | { readonly values: ReadonlyMap<string, unknown> }
  | { readonly fault: string }
)

/** Whether rows are read from what they were unfolded to. */
export const isUnfolded = ({ format }: Layout): boolean => format === 'xlsx' || format === 'zip'

/** Whether each row names its own columns, and may leave some out. */
export const rowsNameColumns = ({ format }: Layout): boolean => format === 'json' || format === 'jsonl' || format === 'zip'

/** Whether every cell is a text, whatever stands in it. */
export const isTextTable = ({ format, textCells = false }: Layout): boolean => format === 'csv' || format === 'tsv' || textCells

/** How much of a file lies before a place. @param size of the file, bytes */
export const doneAt = ({ end }: Layout, { offset }: Position, size: number): number =>
  end === undefined ? offset : Math.floor((size * offset) / Math.max(end, 1))

/** Why an import ends before the end of its file, a sentence. */
export const brokenAt = (layout: Layout, { line, reason }: { readonly line: number; readonly reason: string }): string =>
  hasLines(layout.format)
    ? sayReason('nothingBehindLine', { line, reason })
    : sayReason('nothingBehindRow', { row: line, reason })
