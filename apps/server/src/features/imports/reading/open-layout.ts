import { type FileHandle, open } from 'node:fs/promises'
import type { ImportFormat } from '@postil/contract/files/import-formats.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { isJsonObject } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { Layout } from '../inspect/layout.ts'
import { delimiterIn, readCells, splitCells } from './cells.ts'
import { namesOf } from './heading.ts'
import { FileFault, type Piece, type Position, pieces, type Splitter, textOf } from './pieces.ts'
import { quotesAreText } from './quotes.ts'
import { RETURN, splitLines, splitObjects, splitTable } from './splitters.ts'
import { findWrappedList } from './wrapped-list.ts'

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const

/** Number of bytes at the beginning of a file that are used to detect its format. */
const SAMPLE_BYTES = 64 * 1024

const headOf = async (file: FileHandle, { offset }: Position): Promise<string> => {
  const head = Buffer.alloc(SAMPLE_BYTES)
  const { bytesRead } = await file.read(head, 0, SAMPLE_BYTES, offset)
  return head.toString('latin1', 0, bytesRead)
}

/**
 * A carriage return if it is the only line ending, as in files from old Macintosh programs. Such files have no line feed
 * outside quoted cells.
 */
const otherLineEnd = async (file: FileHandle, from: Position): Promise<number | undefined> => {
  const bare = (await headOf(file, from)).replace(/"[^"]*"/g, '')
  return bare.includes('\r') && !bare.includes('\n') ? RETURN : undefined
}

/** The `sep=` line before the heading, which spreadsheet programs write and recognize. */
const SEPARATOR_LINE = /^sep=([\t -~])\r?\n?$/i

const headerOf = (line: string, delimiter: string, hasTextQuotes: boolean): readonly string[] => {
  const read = hasTextQuotes ? { cells: splitCells(line, delimiter) } : readCells(line, delimiter)
  if ('fault' in read) throw unprocessable(message('heading', {}, read.fault))
  return namesOf(read.cells.map((cell) => cell ?? ''))
}

/** A row without cells, as spreadsheet programs write it: empty, or only separators. */
const BLANK = /^[\s,;|]*$/

type JsonLayout = Pick<Layout, 'format' | 'objectsSpanLines' | 'listEnd'> & { readonly first?: Position }

/** Whether a file begins with a JSON object, on any number of lines. */
const beginsWithObject = async (file: FileHandle, from: Position): Promise<boolean> => {
  try {
    for await (const piece of pieces(file, from, splitObjects())) return isJsonObject(JSON.parse(textOf(piece.bytes)))
  } catch (error) {
    if (!(error instanceof FileFault || error instanceof SyntaxError)) throw error
  }
  return false
}

/**
 * Detects the JSON format, regardless of the file's name. An opening bracket begins a list. An object that ends its line and is
 * followed by another object or by nothing is JSON Lines. If the first object ends on a later line, all objects can span lines.
 * If the only object contains a list of records, that list is read.
 * @param named the format according to the file's name
 */
const jsonFormat = async (file: FileHandle, from: Position, named: 'json' | 'jsonl'): Promise<JsonLayout> => {
  const head = await headOf(file, from)
  if (/^\s*\[/.test(head)) return { format: 'json' }
  const list = /^\s*\{/.test(head) ? await findWrappedList(file, from) : null
  if (list !== null) return { format: 'json', ...list }
  const lines: string[] = []
  try {
    for await (const piece of pieces(file, from, splitLines())) {
      const line = textOf(piece.bytes).trim()
      if (line !== '') lines.push(line)
      if (lines.length === 2) break
    }
  } catch (error) {
    // The fault is reported when the rows are read
    if (!(error instanceof FileFault)) throw error
  }
  const [first = '', second = ''] = lines
  if (/^\{.*\}$/.test(first)) return { format: second === '' || second.startsWith('{') ? 'jsonl' : named }
  const spansLines = first.startsWith('{') && (await beginsWithObject(file, from))
  return spansLines ? { format: 'jsonl', objectsSpanLines: true } : { format: named }
}

/**
 * Determines how to read a file: where its first row begins and, for a table, which columns it has.
 * @throws Problem unprocessable for an unreadable file
 */
export const openLayout = async (path: string, format: ImportFormat): Promise<Layout> => {
  const file = await open(path, 'r')
  try {
    const head = Buffer.alloc(BYTE_ORDER_MARK.length)
    const { bytesRead } = await file.read(head, 0, BYTE_ORDER_MARK.length, 0)
    const start: Position = {
      offset: bytesRead === 3 && BYTE_ORDER_MARK.every((byte, i) => head[i] === byte) ? 3 : 0,
      row: 0,
      line: 0,
    }
    if (format === 'json' || format === 'jsonl')
      return { delimiter: '', header: [], first: start, ...(await jsonFormat(file, start, format)) }
    if (format !== 'csv' && format !== 'tsv') return { format, delimiter: '', header: [], first: start }
    const firstOf = async (from: Position, split: Splitter): Promise<Piece> => {
      for await (const piece of pieces(file, from, split)) if (!BLANK.test(textOf(piece.bytes))) return piece
      throw unprocessable(message('fileEmpty'))
    }
    const lineEnd = await otherLineEnd(file, start)
    const line = await firstOf(start, splitLines(lineEnd))
    const [, declared] = SEPARATOR_LINE.exec(textOf(line.bytes)) ?? []
    const delimiter = format === 'tsv' ? '\t' : (declared ?? delimiterIn(textOf(line.bytes)))
    const from = declared === undefined ? line.start : { ...line.end, row: 0 }
    const hasTextQuotes = delimiter === '\t' && (await quotesAreText(file, from, lineEnd))
    const heading = await firstOf(from, hasTextQuotes ? splitLines(lineEnd) : splitTable(delimiter, lineEnd))
    return {
      format,
      delimiter,
      ...(lineEnd && { lineEnd }),
      ...(hasTextQuotes && { quotesAreText: true }),
      header: headerOf(textOf(heading.bytes), delimiter, hasTextQuotes),
      first: { ...heading.end, row: 0 },
    }
  } catch (error) {
    if (error instanceof FileFault) throw unprocessable(message('heading', {}, error.reason))
    throw error
  } finally {
    await file.close()
  }
}
