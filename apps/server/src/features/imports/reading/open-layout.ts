import { type FileHandle, open } from 'node:fs/promises'
import type { ImportFormat } from '@postil/contract/files/import-formats.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { sayRefusal } from '@postil/contract/wire/refusals.ts'
import type { Layout } from '../inspect/layout.ts'
import { delimiterIn, readCells } from './cells.ts'
import { namesOf } from './heading.ts'
import { FileFault, type Piece, type Position, pieces, type Splitter } from './pieces.ts'
import { RETURN, splitLines, splitTable } from './splitters.ts'

const MARK = [0xef, 0xbb, 0xbf] as const

/** Bytes at the beginning that tell how a file is written. */
const LOOKED = 64 * 1024

const headOf = async (file: FileHandle, { offset }: Position): Promise<string> => {
  const head = Buffer.alloc(LOOKED)
  const { bytesRead } = await file.read(head, 0, LOOKED, offset)
  return head.toString('latin1', 0, bytesRead)
}

/** A return where lines end with one alone, as old programs for the Macintosh write them: outside of quoted cells there is no line feed then. */
const otherLineEnd = async (file: FileHandle, from: Position): Promise<number | undefined> => {
  const bare = (await headOf(file, from)).replace(/"[^"]*"/g, '')
  return bare.includes('\r') && !bare.includes('\n') ? RETURN : undefined
}

/** What a table says of itself before its heading, as spreadsheets write it for one another. */
const SAID = /^sep=([\t -~])\r?\n?$/i

const headerOf = (line: string, delimiter: string): readonly string[] => {
  const read = readCells(line, delimiter)
  if ('fault' in read) throw unprocessable(sayRefusal('heading', { reason: read.fault }))
  return namesOf(read.cells.map((cell) => cell ?? ''))
}

const textOf = (piece: Piece): string => Buffer.from(piece.bytes).toString('utf8')

/** What a spreadsheet writes for a row without cells: nothing, or nothing between signs. */
const BLANK = /^[\s,;|]*$/

/**
 * Which JSON a file holds, whatever its name says: a bracket begins a list, and where an object ends its line and another follows it is lines.
 * @param named what its name says
 */
const jsonFormat = async (file: FileHandle, from: Position, named: 'json' | 'jsonl'): Promise<'json' | 'jsonl'> => {
  if (/^\s*\[/.test(await headOf(file, from))) return 'json'
  const lines: string[] = []
  try {
    for await (const piece of pieces(file, from, splitLines())) {
      const line = textOf(piece).trim()
      if (line !== '') lines.push(line)
      if (lines.length === 2) break
    }
  } catch (error) {
    // NOTE: whoever reads the rows tells of it
    if (!(error instanceof FileFault)) throw error
  }
  const [first = '', second = ''] = lines
  return /^\{.*\}$/.test(first) && second.startsWith('{') ? 'jsonl' : named
}

/**
 * How a file is read: where its first row begins and, for a table, what its columns are.
 * @throws Problem unprocessable for a file that nothing can be read from
 */
export const openLayout = async (path: string, format: ImportFormat): Promise<Layout> => {
  const file = await open(path, 'r')
  try {
    const head = Buffer.alloc(MARK.length)
    const { bytesRead } = await file.read(head, 0, MARK.length, 0)
    const start: Position = { offset: bytesRead === 3 && MARK.every((byte, i) => head[i] === byte) ? 3 : 0, row: 0, line: 0 }
    if (format === 'json' || format === 'jsonl')
      return { format: await jsonFormat(file, start, format), delimiter: '', header: [], first: start }
    if (format !== 'csv' && format !== 'tsv') return { format, delimiter: '', header: [], first: start }
    const firstOf = async (from: Position, split: Splitter): Promise<Piece> => {
      for await (const piece of pieces(file, from, split)) if (!BLANK.test(textOf(piece))) return piece
      throw unprocessable(sayRefusal('fileEmpty'))
    }
    const lineEnd = await otherLineEnd(file, start)
    const line = await firstOf(start, splitLines(lineEnd))
    const [, said] = SAID.exec(textOf(line)) ?? []
    const delimiter = format === 'tsv' ? '\t' : (said ?? delimiterIn(textOf(line)))
    const heading = await firstOf(said === undefined ? line.start : { ...line.end, row: 0 }, splitTable(delimiter, lineEnd))
    const header = headerOf(textOf(heading), delimiter)
    return { format, delimiter, ...(lineEnd && { lineEnd }), header, first: { ...heading.end, row: 0 } }
  } catch (error) {
    if (error instanceof FileFault) throw unprocessable(sayRefusal('heading', { reason: error.message }))
    throw error
  } finally {
    await file.close()
  }
}
