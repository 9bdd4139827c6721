import type { FileHandle } from 'node:fs/promises'
import { ESCAPE_MARK, unescapeFormula } from '@postil/contract/files/csv-cell.ts'
import { Problem } from '@postil/contract/wire/errors.ts'
import { isJsonObject } from '@postil/contract/wire/json.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { isTooDeep, maxBodyDepth, parseJson } from '#platform/http/bodies/json-body.ts'
import { isUnfolded, type Layout, type MergedLines, type SourceRow } from '../inspect/layout.ts'
import { withExactNumbers, withoutNaN } from '../rows/exact.ts'
import type { UnfoldedRow } from '../unfolding/rows-file.ts'
import { readCells, splitCells } from './cells.ts'
import { blankLines, FileFault, type Piece, type Position, pieces, textOf } from './pieces.ts'
import { readSentence } from './sentence.ts'
import { splitBlocks, splitLines, splitList, splitObjects, splitTable } from './splitters.ts'

type Content = { readonly line?: number; readonly merged?: MergedLines } & (
  | { readonly values: ReadonlyMap<string, unknown> }
  | { readonly fault: Reason }
)

/**
 * Finds a cell that consists of the end of one row, whole rows, and the beginning of another. Rows merge in this way if a quote
 * that is text is read as a delimiter, or if a quote is missing.
 */
const mergedLines = (cells: readonly (string | null)[], { delimiter, header }: Layout): MergedLines | undefined => {
  const separators = (line = ''): number => line.split(delimiter).length - 1
  for (const [i, cell] of cells.entries()) {
    const lines = cell?.split(/\r\n|\n|\r/) ?? []
    const last = cells.length - 1
    const looksLikeRows =
      lines.length > 1 &&
      separators(lines[0]) === last - i &&
      separators(lines.at(-1)) === i &&
      lines.slice(1, -1).every((line) => separators(line) === last)
    if (last > 0 && looksLikeRows) return { column: header[i] ?? '', lines: lines.length }
  }
  return undefined
}

const fromTable = (bytes: Uint8Array, layout: Layout): Content | null => {
  const { delimiter, header, quotesAreText } = layout
  const line = textOf(bytes)
  if (line.trim() === '') return null
  const read = quotesAreText === true ? { cells: splitCells(line, delimiter) } : readCells(line, delimiter)
  if ('fault' in read) return read
  const { cells } = read
  // Spreadsheet programs write such rows for empty rows, including after the last row
  if (cells.every((cell) => cell === null)) return null
  if (cells.length === header.length) {
    const merged = mergedLines(cells, layout)
    return { values: new Map(header.map((name, i) => [name, cells[i] ?? null])), ...(merged && { merged }) }
  }
  const code = cells.length === 1 ? 'rowCell' : 'rowCells'
  return { fault: message(code, { found: cells.length, expected: header.length }) }
}

const jsonFault = (error: unknown, bytes: Uint8Array): Reason => {
  if (!(error instanceof Problem)) throw error
  return isTooDeep(bytes) ? message('rowNested', { levels: maxBodyDepth }) : message('rowNotJson')
}

const fromJson = (bytes: Uint8Array): Content => {
  try {
    const sent = textOf(bytes)
    const text = withoutNaN(sent)
    const parsed = parseJson(text === sent ? bytes : Buffer.from(text))
    const exact = withExactNumbers(text)
    // Parsed first, because only valid JSON may be rewritten. Few rows contain numbers that must be rewritten, so parsing twice
    // is rare
    const value = exact === text ? parsed : parseJson(Buffer.from(exact))
    if (!isJsonObject(value)) return { fault: message('rowNotObject') }
    return { values: new Map(Object.entries(value)) }
  } catch (error) {
    return { fault: jsonFault(error, bytes) }
  }
}

const fromLine = (bytes: Uint8Array): Content | null => (textOf(bytes).trim() === '' ? null : fromJson(bytes))

/** An item with the comma or closing bracket after it. The first item also includes the opening bracket before it. */
const fromItem = (bytes: Uint8Array, isFirst: boolean): Content | null => {
  const whole = textOf(bytes)
  const end = whole.trimEnd()
  const last = end.at(-1)
  const inner = (isFirst ? whole.trimStart().slice(1) : whole).trim().slice(0, -1)
  if (inner.trim() !== '') return fromJson(Buffer.from(inner))
  // Either only the end of the list is left, or the list is empty
  return last === ']' || last === undefined ? null : { fault: message('nothingBeforeComma') }
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
  if (isUnfolded(layout)) return fromUnfolded(piece.bytes, columns)
  if (layout.format === 'conll') return readSentence(textOf(piece.bytes))
  if (layout.format === 'jsonl') return fromLine(piece.bytes)
  if (layout.format === 'json') return fromItem(piece.bytes, piece.start.offset === layout.first.offset)
  return fromTable(piece.bytes, layout)
}

/** Undoes formula escaping in a download that is marked as escaped. */
const withoutEscapes = (content: Content): Content => {
  if ('fault' in content || !content.values.has(ESCAPE_MARK)) return content
  const plain = [...content.values].map(
    ([name, value]) => [name, typeof value === 'string' ? unescapeFormula(value) : value] as const,
  )
  return { ...content, values: new Map(plain) }
}

const splitterOf = ({ format, delimiter, lineEnd, quotesAreText, objectsSpanLines, first }: Layout, from: Position) => {
  if (objectsSpanLines) return splitObjects()
  if (format === 'conll') return splitBlocks()
  if (format !== 'csv' && format !== 'tsv' && format !== 'json') return splitLines()
  if (quotesAreText) return splitLines(lineEnd)
  return format === 'json' ? splitList(from.offset > first.offset) : splitTable(delimiter, lineEnd)
}

type RowsArgs = { readonly from: Position; readonly columns?: readonly string[] | undefined }

/** A row and the position after it. */
export type PlacedRow = { readonly source: SourceRow; readonly next: Position; readonly bytes: number }

/** The rows of a file, starting at a position and without empty lines. @throws FileFault when the rest can't be read */
export async function* rowsOf(file: FileHandle, layout: Layout, { from, columns }: RowsArgs): AsyncGenerator<PlacedRow> {
  let row = from.row
  try {
    const splitter = splitterOf(layout, from)
    for await (const piece of pieces(file, from, splitter, layout.listEnd)) {
      const content = contentOf(piece, layout, columns)
      if (content === null) continue
      row += 1
      const line = piece.start.line + blankLines(piece.bytes, splitter.lineEnd) + 1
      yield { source: { row, line, ...withoutEscapes(content) }, next: { ...piece.end, row }, bytes: piece.bytes.length }
    }
  } catch (error) {
    throw error instanceof FileFault ? new FileFault(error.reason, { row: row + 1, line: error.line }) : error
  }
}
