import type { FileHandle } from 'node:fs/promises'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { Layout } from '../inspect/layout.ts'
import type { ReadingChoice } from '../inspect/reading.ts'
import { delimiterIn, delimiters, noDelimiter, readCells, splitCells } from './cells.ts'
import { guessHeading, letterNames, namesOf } from './heading.ts'
import { FileFault, type Piece, type Position, pieces, textOf } from './pieces.ts'
import { quotesAreText } from './quotes.ts'
import { splitLines, splitTable } from './splitters.ts'

/** The `sep=` line before the heading, which spreadsheet programs write and recognize. */
const SEPARATOR_LINE = /^sep=([\t -~])\r?\n?$/i

/** A row without cells, as spreadsheet programs write it: empty, or only separators. */
const BLANK = /^[\s,;|]*$/

/** Number of rows from which the delimiter and the heading are detected. */
const DECISIVE = 30

type Cells = readonly (string | null)[]
type TableRow = { readonly cells: Cells; readonly piece: Piece }
type Quoting = { readonly delimiter: string; readonly hasTextQuotes: boolean }

const cellsOf = (piece: Piece, { delimiter, hasTextQuotes }: Quoting): Cells | null => {
  if (piece.fault !== undefined) return null
  const text = textOf(piece.bytes)
  if (hasTextQuotes) return splitCells(text, delimiter)
  const read = readCells(text, delimiter)
  return 'fault' in read ? null : read.cells
}

const splitterOf = ({ delimiter, hasTextQuotes }: Quoting) => (hasTextQuotes ? splitLines() : splitTable(delimiter))

/** The first rows of a table, including blank ones. @throws FileFault if the first row can't be read */
export const firstRows = async (file: FileHandle, from: Position, quoting: Quoting, limit = DECISIVE): Promise<TableRow[]> => {
  const rows: TableRow[] = []
  try {
    for await (const piece of pieces(file, from, splitterOf(quoting))) {
      rows.push({ piece, cells: cellsOf(piece, quoting) ?? [] })
      if (rows.length === limit) break
    }
  } catch (error) {
    if (!(error instanceof FileFault) || rows.length === 0) throw error
  }
  return rows
}

/**
 * Guesses the delimiter of a table. With the right delimiter, most of the first rows have as many cells as the heading. If
 * several delimiters are about equally good, the most frequent one in the heading is preferred.
 */
const guessDelimiter = async (file: FileHandle, from: Position): Promise<string> => {
  const scores: { readonly delimiter: string; readonly share: number; readonly heading: string }[] = []
  for (const delimiter of delimiters) {
    const rows = await firstRows(file, from, { delimiter, hasTextQuotes: false })
    const filled = rows.filter(({ piece }) => !BLANK.test(textOf(piece.bytes)))
    const index = guessHeading(rows.map(({ cells }) => cells)) ?? 0
    const heading = rows[index]
    if (heading === undefined || heading.cells.length < 2) continue
    const below = filled.filter(({ piece }) => piece.start.offset > heading.piece.start.offset)
    const fitting = below.filter(({ cells }) => cells.length === heading.cells.length).length
    scores.push({ delimiter, share: below.length === 0 ? 1 : fitting / below.length, heading: textOf(heading.piece.bytes) })
  }
  const best = Math.max(...scores.map(({ share }) => share))
  const good = scores.filter(({ share }) => share > best - 0.2)
  const [first] = good
  if (first === undefined) return noDelimiter
  const inHeading = delimiterIn(first.heading)
  return good.find(({ delimiter }) => delimiter === inHeading)?.delimiter ?? first.delimiter
}

/** The `sep=` line at the beginning of a table, with the position after it. */
const declaredDelimiter = async (file: FileHandle, start: Position): Promise<{ delimiter?: string; from: Position }> => {
  for await (const piece of pieces(file, start, splitLines())) {
    const line = textOf(piece.bytes)
    if (BLANK.test(line)) continue
    const [, delimiter] = SEPARATOR_LINE.exec(line) ?? []
    return delimiter === undefined ? { from: start } : { delimiter, from: { ...piece.end, row: 0 } }
  }
  throw unprocessable(message('fileEmpty'))
}

/**
 * Returns the row that begins on the given line. Reads the file only up to that line. @throws Problem unprocessable if no row
 * begins there
 */
const rowAt = async (file: FileHandle, from: Position, quoting: Quoting, line: number): Promise<TableRow> => {
  for await (const piece of pieces(file, from, splitterOf(quoting))) {
    if (piece.start.line + 1 > line) break
    if (piece.start.line + 1 !== line) continue
    const cells = cellsOf(piece, quoting)
    if (cells !== null && !BLANK.test(textOf(piece.bytes))) return { piece, cells }
  }
  throw unprocessable(message('noHeadingAt', { line }))
}

/** The reason why a heading can't be read. */
const headingFault = (piece: Piece, { delimiter }: Quoting): Error => {
  const read = readCells(textOf(piece.bytes), delimiter)
  const reason = piece.fault ?? ('fault' in read ? read.fault : message('rowInvalid'))
  return unprocessable(message('heading', {}, reason))
}

type Heading = Pick<Layout, 'header' | 'first' | 'headingRow'>

const headingOf = ({ cells, piece }: TableRow): Heading => ({
  header: namesOf(cells.map((cell) => cell ?? '')),
  first: { ...piece.end, row: 0 },
  headingRow: piece.start.line + 1,
})

/** Where the rows of a table begin and which columns they have. @param chosen the line of the heading, 0 if there is none */
const findHeading = async (file: FileHandle, from: Position, quoting: Quoting, chosen?: number): Promise<Heading> => {
  if (chosen !== undefined && chosen > 0) return headingOf(await rowAt(file, from, quoting, chosen))
  const rows = await firstRows(file, from, quoting)
  const index = chosen === 0 ? null : guessHeading(rows.map(({ cells }) => cells))
  if (index === null) {
    const width = Math.max(...rows.map(({ cells }) => cells.length))
    return { header: letterNames(width), first: from, headingRow: 0 }
  }
  const filled = rows.find(({ piece }) => !BLANK.test(textOf(piece.bytes)))
  const row = rows[index]
  if (row === undefined || filled === undefined) throw unprocessable(message('fileEmpty'))
  if (filled.cells.length === 0) throw headingFault(filled.piece, quoting)
  return headingOf(row)
}

/**
 * Determines how to read a table: its delimiter, its quotes, and its heading.
 * @throws Problem unprocessable for a table without a readable heading
 */
export const openTable = async (
  file: FileHandle,
  start: Position,
  format: 'csv' | 'tsv',
  { separator, heading_row }: ReadingChoice,
): Promise<Layout> => {
  const declared = await declaredDelimiter(file, start)
  const { from } = declared
  const delimiter = separator ?? (format === 'tsv' ? '\t' : declared.delimiter) ?? (await guessDelimiter(file, from))
  const hasTextQuotes = delimiter === '\t' && (await quotesAreText(file, from))
  const heading = await findHeading(file, from, { delimiter, hasTextQuotes }, heading_row)
  return { format, delimiter, ...(hasTextQuotes && { quotesAreText: true }), ...heading }
}
