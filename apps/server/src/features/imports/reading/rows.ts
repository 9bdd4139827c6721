import type { FileHandle } from 'node:fs/promises'
import { ESCAPE_MARK, unescapeFormula } from '@postil/contract/files/csv-cell.ts'
import { message } from '@postil/contract/wire/message.ts'
import { isUnfolded, type Layout, type RowWarning, type SourceRow } from '../inspect/layout.ts'
import type { UnfoldedRow } from '../unfolding/rows-file.ts'
import { readCells, splitCells } from './cells.ts'
import { type Content, fromItem, fromLine, TEXT } from './json-rows.ts'
import { blankLines, FileFault, type Piece, type Position, pieces, textOf } from './pieces.ts'
import { readSentence } from './sentence.ts'
import { type ListPlace, splitBlocks, splitLines, splitList, splitNothing, splitObjects, splitTable } from './splitters.ts'

/**
 * Whether a line of a cell contains separators, like a row. A comma counts only if no whitespace follows it, because a comma
 * before whitespace is probably punctuation.
 */
const hasSeparators = (line: string, delimiter: string): boolean =>
  delimiter === ',' ? /,(?=\S)/.test(line) : line.includes(delimiter)

/**
 * Finds a cell that spans several lines and contains separators. Its lines may be separate rows that were merged by mistake. This
 * happens if a quote that belongs to the text is read as a delimiter, or if a quote is missing.
 */
const mergedLines = (cells: readonly (string | null)[], { delimiter, header }: Layout): RowWarning | undefined => {
  const last = header.length - 1
  const separators = (line = ''): number => line.split(delimiter).length - 1
  for (const [i, cell] of cells.entries()) {
    const lines = cell?.split(/\r\n|\n|\r/) ?? []
    if (last === 0 || lines.length < 2 || cell?.includes(delimiter) !== true) continue
    const looksLikeRows =
      separators(lines[0]) === last - i &&
      separators(lines.at(-1)) === i &&
      lines.slice(1, -1).every((line) => separators(line) === last)
    const code = looksLikeRows ? 'cellMerged' : lines.some((line) => hasSeparators(line, delimiter)) ? 'cellSpansLines' : null
    if (code !== null) return { column: header[i] ?? null, reason: message(code, { lines: lines.length }) }
  }
  return undefined
}

/** The replacement character. Converting damaged text writes it in place of invalid bytes. */
const REPLACED = Buffer.from('\ufffd')

/** Adds a warning to a row of damaged text in which invalid bytes were replaced. */
const withDamage = (content: Content, bytes: Uint8Array, { damagedAt }: Layout): Content =>
  damagedAt === undefined || !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(REPLACED)
    ? content
    : { ...content, warnings: [...(content.warnings ?? []), { column: null, reason: message('charactersReplaced') }] }

/**
 * Returns the warning for a row with fewer or more cells than the heading. Returns null if a cell beyond the last column has a
 * value. Such a row is a fault, because the value would be lost.
 */
const widthWarning = (cells: readonly (string | null)[], { header }: Layout): RowWarning | null => {
  const params = { found: cells.length, expected: header.length }
  if (cells.length < header.length)
    return { column: null, reason: message(cells.length === 1 ? 'rowCellPadded' : 'rowPadded', params) }
  return cells.slice(header.length).every((cell) => cell === null) ? { column: null, reason: message('rowCut', params) } : null
}

const fromTable = (bytes: Uint8Array, layout: Layout): Content | null => {
  const { delimiter, header, quotesAreText } = layout
  const line = textOf(bytes)
  if (line.trim() === '') return null
  const read = quotesAreText === true ? { cells: splitCells(line, delimiter) } : readCells(line, delimiter)
  if ('fault' in read) return read
  const { cells } = read
  // Spreadsheet programs write rows of empty cells, including after the last row
  if (cells.every((cell) => cell === null)) return null
  const width = cells.length === header.length ? undefined : widthWarning(cells, layout)
  if (width === null) return { fault: message('rowCells', { found: cells.length, expected: header.length }) }
  const warnings = [mergedLines(cells, layout), width].filter((warning) => warning !== undefined)
  return { values: new Map(header.map((name, i) => [name, cells[i] ?? null])), ...(warnings.length > 0 && { warnings }) }
}

/** Removes the blank lines at the start of a text and the whitespace at its end. */
const withoutBlankLines = (text: string): string => {
  const first = text.search(/\S/)
  const lineStart = Math.max(text.lastIndexOf('\n', first), text.lastIndexOf('\r', first)) + 1
  return text.slice(lineStart).trimEnd()
}

/** A line, a paragraph or the whole of a text file. */
const fromText = (bytes: Uint8Array): Content | null => {
  const text = textOf(bytes)
  return text.trim() === '' ? null : { values: new Map([[TEXT, withoutBlankLines(text)]]) }
}

/** A row written by `unfold`. An unreadable cell makes the row unreadable only if the cell's column is needed. */
const fromUnfolded = (bytes: Uint8Array, requestedColumns: readonly string[] | undefined): Content => {
  const unfolded = JSON.parse(textOf(bytes)) as UnfoldedRow
  const [line, values] = unfolded
  if (values === null) return { line, fault: unfolded[2] }
  // Written by an earlier version of the program.
  if (typeof values === 'string') return { line, fault: values }
  const faults = unfolded[2]
  const fault = requestedColumns?.map((name) => faults?.[name]).find((one) => one !== undefined)
  return fault === undefined ? { line, values: new Map(Object.entries(values)) } : { line, fault }
}

const contentOf = (piece: Piece, layout: Layout, columns: readonly string[] | undefined): Content | null => {
  if (piece.fault !== undefined) return { fault: piece.fault }
  if (isUnfolded(layout)) return fromUnfolded(piece.bytes, columns)
  if (layout.format === 'conll') return readSentence(textOf(piece.bytes))
  if (layout.format === 'txt') return fromText(piece.bytes)
  if (layout.format === 'jsonl') return fromLine(piece.bytes, layout)
  const isFirst = piece.start.offset === layout.first.offset && layout.insideList !== true
  if (layout.format === 'json') return fromItem(piece.bytes, isFirst, layout)
  return fromTable(piece.bytes, layout)
}

/** In a download that is marked as escaped, removes the apostrophes before formulas: `'=1+1` becomes `=1+1`. */
const withoutEscapes = (content: Content): Content => {
  if ('fault' in content || !content.values.has(ESCAPE_MARK)) return content
  const plain = [...content.values].map(
    ([name, value]) => [name, typeof value === 'string' ? unescapeFormula(value) : value] as const,
  )
  return { ...content, values: new Map(plain) }
}

/** Whether the position `from` is before, inside or behind a list. The byte before `from` shows whether the list has ended. */
const placeAt = async (file: FileHandle, from: Position, { first, insideList }: Layout): Promise<ListPlace> => {
  if (from.offset <= first.offset && insideList !== true) return 'before'
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, from.offset - 1)
  return buffer[0] === 0x5d || buffer[0] === 0x7d ? 'behind' : 'inside'
}

const textSplitters = { line: splitLines, paragraph: splitBlocks, file: splitNothing } as const

const splitterOf = async (file: FileHandle, layout: Layout, from: Position) => {
  const { format, delimiter, quotesAreText, objectsSpanLines, unit, ...json } = layout
  if (isUnfolded(layout)) return splitLines()
  if (objectsSpanLines) return splitObjects(json.areSingle)
  if (format === 'conll') return splitBlocks()
  if (format === 'txt') return textSplitters[unit ?? 'line']()
  if (format === 'json') return splitList({ ...json, begins: await placeAt(file, from, layout) })
  if (format !== 'csv' && format !== 'tsv') return splitLines()
  return quotesAreText ? splitLines() : splitTable(delimiter)
}

type RowsArgs = { readonly from: Position; readonly columns?: readonly string[] | undefined }

/** A row and the position after it. */
type PlacedRow = { readonly source: SourceRow; readonly next: Position; readonly bytes: number }

/** The rows of a file, starting at a position and without empty lines. @throws FileFault when the rest can't be read */
export async function* rowsOf(file: FileHandle, layout: Layout, { from, columns }: RowsArgs): AsyncGenerator<PlacedRow> {
  let row = from.row
  try {
    const splitter = await splitterOf(file, layout, from)
    for await (const piece of pieces(file, from, splitter, layout.listEnd)) {
      const content = contentOf(piece, layout, columns)
      if (content === null) continue
      row += 1
      const line = piece.start.line + blankLines(piece.bytes) + 1
      const read = withDamage(withoutEscapes(content), piece.bytes, layout)
      yield { source: { row, line, ...read }, next: { ...piece.end, row }, bytes: piece.bytes.length }
    }
  } catch (error) {
    throw error instanceof FileFault ? new FileFault(error.reason, { row: row + 1, line: error.line }) : error
  }
}
