import type { FileHandle } from 'node:fs/promises'
import { readCells, splitCells } from './cells.ts'
import { FileFault, type Position, pieces, type Splitter, textOf } from './pieces.ts'
import { splitLines, splitTable } from './splitters.ts'

const TAB = '\t'
/** A cell in quotes whose inner quotes are all doubled. */
const QUOTED = /^"(?:[^"]|"")*"$/

/** The rows of a file that aren't blank, up to the first one that can't be read. */
async function* readableRows(file: FileHandle, from: Position, splitter: Splitter): AsyncGenerator<string> {
  try {
    for await (const piece of pieces(file, from, splitter)) {
      const line = textOf(piece.bytes)
      if (line.trim() !== '') yield line
    }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
  }
}

/**
 * Counts the rows that are unreadable or don't have as many cells as the heading, assuming that quotes delimit cells. Returns
 * infinity if a quote is never closed.
 */
const countQuoted = async (file: FileHandle, from: Position): Promise<number> => {
  let width: number | undefined
  let wrong = 0
  try {
    for await (const piece of pieces(file, from, splitTable(TAB))) {
      if (piece.fault !== undefined) return Number.POSITIVE_INFINITY
      const line = textOf(piece.bytes)
      if (line.trim() === '') continue
      const read = readCells(line, TAB)
      width ??= 'cells' in read ? read.cells.length : 0
      if ('fault' in read || read.cells.length !== width) wrong += 1
    }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    return Number.POSITIVE_INFINITY
  }
  return wrong
}

type LiteralCounts = {
  /** Number of rows that have more or fewer cells than the heading. */
  readonly wrong: number
  /** Whether any cell begins with a quote. */
  readonly quotes: boolean
  /** Whether a cell begins with a quote but isn't quoted correctly. If so, the quotes in the file are ordinary characters. */
  readonly isText: boolean
  /** Whether a program evidently quoted the cells: all headings are quoted, or a quoted cell contains doubled quotes. */
  readonly isEvident: boolean
  /** Whether a quoted cell contains neither a comma nor a quote. Spreadsheet programs don't quote such cells. */
  readonly isNeedless: boolean
  /** Whether an unquoted cell contains a comma. Spreadsheet programs quote such cells even in tab-separated files. */
  readonly hasBareComma: boolean
}

/**
 * Splits the rows as if quotes were ordinary characters, and counts the rows with a wrong number of cells. Also determines how
 * quotes and commas are used.
 */
const countLiteral = async (file: FileHandle, from: Position): Promise<LiteralCounts> => {
  let width: number | undefined
  const counts = { wrong: 0, quotes: false, isText: false, isEvident: false, isNeedless: false, hasBareComma: false }
  for await (const line of readableRows(file, from, splitLines())) {
    const cells = splitCells(line, TAB)
    if (width === undefined) counts.isEvident = cells.every((cell) => cell !== null && QUOTED.test(cell))
    width ??= cells.length
    if (cells.length !== width) counts.wrong += 1
    if (cells.some((cell) => cell?.startsWith('"') === false && cell.includes(','))) counts.hasBareComma = true
    if (!line.includes('"')) continue
    const quoted = cells.filter((cell) => cell?.startsWith('"') === true) as string[]
    if (quoted.length > 0) counts.quotes = true
    if (quoted.some((cell) => !QUOTED.test(cell))) counts.isText = true
    const isDoubled = (cell: string) => QUOTED.test(cell) && cell.slice(1, -1).includes('""')
    if (quoted.some(isDoubled)) counts.isEvident = true
    if (quoted.some((cell) => !cell.includes(',') && !isDoubled(cell))) counts.isNeedless = true
  }
  return counts
}

/**
 * Whether quotes in a tab-separated file are text. Such files have no common rule for quotes: spreadsheet programs quote cells,
 * and many other programs write quotes as they are. If quotes were read as delimiters, a literal quote at the beginning of a cell
 * would merge all lines up to the next quote. This function chooses the reading in which fewer rows have a wrong number of cells.
 * If both readings are equally good, quotes are text unless both of these conditions are met:
 * - All quoted cells are correctly quoted.
 * - A program evidently quoted them: all headings are quoted, quotes inside cells are doubled, or the cells that contain a comma
 *   are exactly the quoted cells.
 *
 * Reads the whole file.
 * @param from the beginning of the heading
 */
export const quotesAreText = async (file: FileHandle, from: Position): Promise<boolean> => {
  const literal = await countLiteral(file, from)
  if (!literal.quotes) return false
  const looksLikeText = literal.isText || !(literal.isEvident || !(literal.isNeedless || literal.hasBareComma))
  if (literal.wrong === 0) return looksLikeText
  const quoted = await countQuoted(file, from)
  return quoted === literal.wrong ? looksLikeText : quoted > literal.wrong
}
